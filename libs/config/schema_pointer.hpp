// JSON pointers (RFC 6901). Inner part of config/schema.
#pragma once

#include "base/json.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace config {

// `pointer` with one more token: "/" and the name, in which ~ and / are escaped.
std::string extend_pointer(std::string_view pointer, std::string_view name);

// What `pointer`, as it stands in a URI fragment (%XX is a byte), leads to from `root`; nothing if that is
// nowhere.
std::optional<json::View> resolve_pointer(json::View root, std::string_view pointer);

}  // namespace config
