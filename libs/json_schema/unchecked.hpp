// The parts of a schema that are not checked. Pure.
#pragma once

#include "json_schema/schema.hpp"

#include <string>
#include <vector>

namespace json_schema {

// Unknown formats, and the keywords for contents of strings. Each is a sentence with the place:
// `/properties/a/format is "phone", which is not checked; use a "pattern" to check it`.
std::vector<std::string> unchecked(const Schema& schema);

}  // namespace json_schema
