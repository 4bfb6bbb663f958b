// Text as a terminal shows it: how many columns it takes, and fitting it into so many. Text is UTF-8; a byte
// that belongs to no character counts as one column. SGR sequences ("\x1b[31m", terminal/color) take none.
// Control characters must not be in it: printable() replaces them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace terminal {

// Fit for a terminal, on one line: control characters (base/columns), escape sequences' first byte among
// them, and bytes that are no UTF-8 become "?".
std::string printable(std::string_view text);

std::size_t width(std::string_view text);

// At most `columns` wide; if something had to go, "…" stands for it at the end. Colours that were begun are
// ended.
std::string cut(std::string_view text, std::size_t columns);

// Exactly `columns` wide, cut or filled with spaces behind or before it.
std::string pad_right(std::string_view text, std::size_t columns);
std::string pad_left(std::string_view text, std::size_t columns);

}  // namespace terminal
