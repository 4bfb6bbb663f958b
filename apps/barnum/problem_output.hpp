// Prints the problems of a config or of other JSON for people, in the format of a compiler.
#pragma once

#include "config/load.hpp"

#include <string>

namespace barnum {

// Prints them to stderr, each with an excerpt of its line, in colour if stderr is a terminal; at the end, the
// number of problems that are not shown.
void print_problems(const config::Problems& problems);

// A JSON array with an object for each of them: its severity, file, line, column, message and excerpt.
std::string problems_json(const config::Problems& problems);

}  // namespace barnum
