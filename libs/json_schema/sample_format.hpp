// Sample texts for the formats. Internal to json_schema/sample.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace json_schema {

// Empty for a format that is not checked. The first 28 variations are different.
std::optional<std::string> sample_format(std::string_view format, std::size_t variation);

}  // namespace json_schema
