// Where the values of a schema can have texts. Pure.
#pragma once

#include "json_schema/schema.hpp"

#include <optional>
#include <span>
#include <string>

namespace json_schema {

// A JSON pointer to the keyword, or to the schema `false`, for which no value has a string or an array of
// strings at the end of `path` (names of members and indices of items). Empty if one may have: contradictions
// between several keywords, "not", "if" and the names of members are not looked into.
std::optional<std::string> excludes_texts(const Schema& schema, std::span<const std::string> path);

}  // namespace json_schema
