// The escape sequences in the output of other programs. Pure.
#pragma once

#include <string>
#include <string_view>

namespace terminal {

enum class Colors { kept, removed };

// One line without escape sequences and control characters, except tabs; what stands before a carriage return
// is overwritten by what follows it, as on a terminal. With Colors::kept, SGR sequences ("\x1b[31m") stay,
// and are reset at the end.
std::string without_escapes(std::string_view line, Colors colors);

}  // namespace terminal
