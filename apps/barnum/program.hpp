// The table of the commands of `barnum`.
#pragma once

#include "cli/command_line.hpp"

#include <memory>

namespace barnum {

// Returns a pointer, because the command `man` refers to the program.
std::unique_ptr<cli::Program> program();

}  // namespace barnum
