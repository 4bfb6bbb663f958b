// Chains of schemas that apply to the same value (by allOf, $ref, …). Internal to json_schema/outline.
#pragma once

#include "json_schema/outline.hpp"

#include <vector>

namespace json_schema {

// Reports circular chains, and chains that are too long for the validator.
std::vector<SchemaProblem> chain_problems(const std::vector<Subschema>& subschemas);

}  // namespace json_schema
