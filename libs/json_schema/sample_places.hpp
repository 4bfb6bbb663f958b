// What is wanted of the parts of a value, items and members, by the schemas that say something about them.
// Inner part of json_schema/sample.
#pragma once

#include "json_schema/sample_facts.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace json_schema {

// Subschemas that one value is to satisfy.
using Wanted = std::vector<json::View>;

// Of the item at `index` of `size`. The last items are those that the array is to contain.
Wanted item_schemas(const Facts& facts, std::size_t index, std::size_t size);

// Of the member of that name.
Wanted member_schemas(const Facts& facts, const std::string& name);

// The names of members that the schemas list and allow, each once.
std::vector<std::string> declared_names(const Facts& facts);

// Unless it is there already.
void add_name(std::vector<std::string>& names, std::string name);

}  // namespace json_schema
