// Mistakes in a config or in other JSON, as a person at a terminal sees them: like a compiler's.
#pragma once

#include "config/load.hpp"

#include <string>

namespace barnum {

// To stderr, each with the line that it is in; in colour if that is a terminal. How many more there are comes
// last.
void print_problems(const config::Problems& problems);

// The same as text, uncoloured, with a line break before each.
std::string problem_text(const config::Problems& problems);

}  // namespace barnum
