// Reads members of the programs' messages. For this room only.
#pragma once

#include "json/json.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agent_driver {

using Path = std::initializer_list<std::string_view>;

// The value under these names, each within the one before. Nothing if a name is missing.
std::optional<json::View> value_at(json::View object, Path path);

// Nothing, or an empty text or list, if the value is missing or of another type.
std::string string_at(json::View object, Path path);
std::optional<std::int64_t> integer_at(json::View object, Path path);
std::optional<double> number_at(json::View object, Path path);
std::uint64_t count_at(json::View object, Path path);  // 0 if missing or negative
bool is_true_at(json::View object, Path path);
std::vector<json::View> elements_at(json::View object, Path path);

}  // namespace agent_driver
