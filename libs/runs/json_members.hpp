// Reads and writes members of JSON objects. For this library only.
#pragma once

#include "json/json.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace runs {

// Empty if the member is absent or of another type; so for the following ones.
std::string string_in(json::View object, std::string_view name);
std::optional<std::int64_t> number_in(json::View object, std::string_view name);
// 0 if it is negative, too.
std::uint64_t count_in(json::View object, std::string_view name);
bool flag_in(json::View object, std::string_view name);
// The elements that are strings.
std::vector<std::string> strings_in(json::View object, std::string_view name);

// ["a","b"]
std::string array_of(const std::vector<std::string>& texts);

}  // namespace runs
