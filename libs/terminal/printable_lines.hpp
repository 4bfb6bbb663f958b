// Text of several lines, safe to print.
#pragma once

#include <string>
#include <string_view>

namespace terminal {

// Does what printable() (terminal/width) does, but newlines and tabs stay.
std::string printable_lines(std::string_view text);

}  // namespace terminal
