// What a schema says of values and nobody checks. Pure.
#pragma once

#include "json_schema/schema.hpp"

#include <string>
#include <vector>

namespace json_schema {

// Formats that are not known, and what a string is said to contain; each in words, with its place:
// `/properties/a/format is "phone", which is not checked; a "pattern" would be`.
std::vector<std::string> unchecked(const Schema& schema);

}  // namespace json_schema
