// Parts of a text. Pure.
#pragma once

#include <cstddef>
#include <string_view>

namespace base {

// Without its newline.
std::string_view first_line(std::string_view text);
// The beginning of `text`, at most `bytes` long, which does not end within a character of UTF-8.
std::string_view cut_to(std::string_view text, std::size_t bytes);

}  // namespace base
