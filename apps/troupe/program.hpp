// The table of the commands of `troupe`.
#pragma once

#include "cli/command_line.hpp"

#include <memory>

namespace troupe {

// By pointer, because the command `man` refers to it.
std::unique_ptr<cli::Program> program();

}  // namespace troupe
