// Parts of a text. Pure.
#pragma once

#include <cstddef>
#include <string_view>

namespace base {

// The first line, without its newline.
std::string_view first_line(std::string_view text);
// The beginning of `text`, at most `bytes` long, which does not end within a character of UTF-8.
std::string_view cut_to(std::string_view text, std::size_t bytes);

// The text without spaces, tabs and line breaks at both ends.
std::string_view trimmed(std::string_view text);
// Whether the text has nothing but spaces, tabs and line breaks, or is empty.
bool is_blank(std::string_view text);

}  // namespace base
