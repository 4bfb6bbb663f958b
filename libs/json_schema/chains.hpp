// Schemas that apply to the value itself, one within the other. Inner part of json_schema/outline.
#pragma once

#include "json_schema/outline.hpp"

#include <vector>

namespace json_schema {

// Circles, which would be followed for ever, and chains that are too long to be followed.
std::vector<SchemaProblem> chain_problems(const std::vector<Subschema>& subschemas);

}  // namespace json_schema
