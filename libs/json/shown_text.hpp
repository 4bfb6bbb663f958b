// Text that came from anywhere, as a person may see it: what a terminal would obey, and what is no text, is
// shown as an escape. Every message of both programs goes through it once, where it is printed. Pure.
#pragma once

#include <string>
#include <string_view>

namespace json {

// Control characters but newlines and tabs become "\x1b" or "\u0085", characters that turn the direction of
// the text (U+202E) "\u202e", and bytes that are no UTF-8 "\xff".
std::string shown_text(std::string_view text);

}  // namespace json
