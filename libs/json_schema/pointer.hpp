// JSON pointers (RFC 6901), and paths to the parts of a value.
#pragma once

#include "json/json.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace json_schema {

// `pointer` with one more token: "/" and the name, in which ~ and / are escaped.
std::string extend_pointer(std::string_view pointer, std::string_view name);

// What `pointer`, as it stands in a URI fragment (%XX is a byte), leads to from `root`; nothing if that is
// nowhere.
std::optional<json::View> resolve_pointer(json::View root, std::string_view pointer);

// The part of `root` that names of members and indices lead to, as far as they lead anywhere.
json::View follow_path(json::View root, std::span<const std::string> path);

// The pointer to that keyword in the subschema that looks at the part of a value that `path` leads to: by way
// of "properties", "prefixItems" and "items" alone. Nothing if it doesn't stand there.
std::optional<std::string> keyword_pointer(json::View schema, std::span<const std::string> path,
                                           std::string_view keyword);

}  // namespace json_schema
