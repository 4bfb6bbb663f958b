// Makes a schema a part of another one. Pure.
#pragma once

#include "json/json.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace json_schema {

// Compact JSON of `schema` for the place at `pointer` (a JSON pointer in the form used in URI fragments) of a
// schema without "$schema". Its references lead to the same subschemas as before; "$schema", ids and anchors
// are left out, because they would have another meaning there. Nothing if it cannot have the same meaning
// there: it has problems (check_schema), uses a keyword of draft-04 that changed its meaning, or refers to a
// meta-schema. `schema` is checked JSON or JSONC.
std::optional<std::string> embedded(json::View schema, std::string_view pointer);

}  // namespace json_schema
