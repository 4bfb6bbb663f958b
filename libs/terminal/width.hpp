// The width of text in terminal columns, and fitting text into a width. Text is UTF-8; an invalid byte counts
// as one column. SGR sequences ("\x1b[31m", terminal/color) have no width. Control characters are not
// allowed; printable() replaces them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace terminal {

// Makes text safe to print on one line: control characters (base/columns), including the first byte of escape
// sequences, and invalid UTF-8 become "?".
std::string printable(std::string_view text);

std::size_t width(std::string_view text);

// The text, at most `columns` wide; if it is cut, it ends with "…". Colours are reset at the end.
std::string cut(std::string_view text, std::size_t columns);

// Exactly `columns` wide: cut, or filled with spaces after or before the text.
std::string pad_right(std::string_view text, std::size_t columns);
std::string pad_left(std::string_view text, std::size_t columns);

}  // namespace terminal
