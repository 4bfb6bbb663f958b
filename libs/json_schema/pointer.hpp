// JSON pointers (RFC 6901), and paths to parts of a value.
#pragma once

#include "json/json.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace json_schema {

// `pointer` extended by one token: "/" and the name, with ~ and / escaped.
std::string extend_pointer(std::string_view pointer, std::string_view name);

// The value at `pointer`, in the form used in URI fragments (%XX is a byte); empty if there is none.
std::optional<json::View> resolve_pointer(json::View root, std::string_view pointer);

// The tokens of a pointer, in the form of JSON strings (no %XX); empty if the text is not a JSON pointer.
std::optional<std::vector<std::string>> pointer_tokens(std::string_view pointer);

// The part of `root` that the tokens lead to; empty if there is none.
std::optional<json::View> find_path(json::View root, std::span<const std::string> tokens);

// The part of `root` at the end of `path` (names of members and indices of items). Stops early if the path
// leads nowhere.
json::View follow_path(json::View root, std::span<const std::string> path);

// The pointer to `keyword` in the subschema that applies to the part of a value at `path`. Follows
// "properties", "prefixItems" and "items" only. Empty if the keyword does not occur there.
std::optional<std::string> keyword_pointer(json::View schema, std::span<const std::string> path,
                                           std::string_view keyword);

}  // namespace json_schema
