// The table of the commands of `troupe`.
#pragma once

#include "cli/command_line.hpp"
#include "engine_settings.hpp"

#include <memory>

namespace troupe {

// Returns a pointer, because the command `man` refers to the program. `prepare_engine`: see start_command().
std::unique_ptr<cli::Program> program(PrepareEngine prepare_engine = {});

}  // namespace troupe
