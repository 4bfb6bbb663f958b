// Schemas that no value fits, as far as that can be decided simply. Pure.
#pragma once

#include "json_schema/schema.hpp"

#include <optional>
#include <string>

namespace json_schema {

// Why nothing fits: "/enum has no value that fits the rest of the schema". Nothing if something may fit:
// a contradiction that is spread over `$ref`s, alternatives or items isn't found.
std::optional<std::string> contradiction(const Schema& schema);

}  // namespace json_schema
