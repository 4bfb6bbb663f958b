// The beginning of a text, for a result that must stay short. Pure.
#pragma once

#include <cstddef>
#include <string_view>

namespace mcp {

// The longest beginning of `text`, which is valid UTF-8, that has at most `room` bytes as a JSON string with
// its quotes, and ends between two characters. Empty if not even one fits.
std::string_view excerpt(std::string_view text, std::size_t room);

}  // namespace mcp
