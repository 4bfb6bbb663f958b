// The escape sequences in the output of other programs. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace terminal {

enum class Colors { kept, removed };

// One line without escape sequences and control characters, except tabs. Bytes that are not UTF-8, and
// characters that reverse text, become "?". After a carriage return, what follows it overwrites as much of
// what stands before, as on a terminal. With Colors::kept, SGR sequences ("\x1b[31m") stay, and are reset at
// the end.
std::string without_escapes(std::string_view line, Colors colors);

// How many bytes at the beginning of the text a terminal does not show: an escape sequence, or a control
// character other than the tab. 0 if it begins with anything else.
std::size_t hidden_size(std::string_view text);

// The size of the escape sequence that begins with the text's first byte, whatever that is. An unfinished one
// ends with the text.
std::size_t sequence_size(std::string_view text);

}  // namespace terminal
