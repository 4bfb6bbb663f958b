// Finds schemas that no value can satisfy, in simple cases. Pure.
#pragma once

#include "json_schema/schema.hpp"

#include <optional>
#include <string>

namespace json_schema {

// The reason why no value satisfies the schema: "/enum has no value that fits the rest of the schema". Empty
// if there may be one: contradictions that involve several `$ref`s, alternatives or items are not found.
std::optional<std::string> contradiction(const Schema& schema);

}  // namespace json_schema
