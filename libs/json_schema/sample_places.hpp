// The schemas that apply to the items and members of a sample. Internal to json_schema/sample.
#pragma once

#include "json_schema/sample_facts.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace json_schema {

// Subschemas that one value must satisfy.
using SchemaList = std::vector<json::View>;

// What one schema says of the item at `index`; empty if nothing.
std::optional<json::View> item_schema(json::View schema, std::size_t index);

// The schemas of the item at `index` of `size`. The last items are those that satisfy "contains".
SchemaList item_schemas(const Facts& facts, std::size_t index, std::size_t size);

// What one schema says of the member with this name.
SchemaList member_schemas(json::View schema, const std::string& name);

// What all of the schemas say of the member with this name.
SchemaList member_schemas(const Facts& facts, const std::string& name);

// The names of members that the schemas declare and allow, without duplicates.
std::vector<std::string> declared_names(const Facts& facts);

// Adds the name unless it is in the list.
void add_name(std::vector<std::string>& names, std::string name);

}  // namespace json_schema
