// The table of the commands of `barnum`.
#pragma once

#include "cli/command_line.hpp"

#include <memory>

namespace barnum {

// By pointer, because the command `man` refers to it.
std::unique_ptr<cli::Program> program();

}  // namespace barnum
