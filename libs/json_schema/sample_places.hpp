// The schemas that apply to the items and members of a sample. Internal to json_schema/sample.
#pragma once

#include "json_schema/sample_facts.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace json_schema {

// Subschemas that one value must satisfy.
using SchemaList = std::vector<json::View>;

// For the item at `index` of `size`. The last items are those that satisfy "contains".
SchemaList item_schemas(const Facts& facts, std::size_t index, std::size_t size);

// For the member with this name.
SchemaList member_schemas(const Facts& facts, const std::string& name);

// The names of members that the schemas declare and allow, without duplicates.
std::vector<std::string> declared_names(const Facts& facts);

// Adds the name unless it is in the list.
void add_name(std::vector<std::string>& names, std::string name);

}  // namespace json_schema
