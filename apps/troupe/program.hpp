// The table of the commands of `troupe`.
#pragma once

#include "cli/command_line.hpp"
#include "engine_settings.hpp"

#include <memory>

namespace troupe {

// By pointer, because the command `man` refers to it. `prepare_engine`: see start_command().
std::unique_ptr<cli::Program> program(PrepareEngine prepare_engine = {});

}  // namespace troupe
