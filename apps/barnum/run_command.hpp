// `barnum run`: from the command line to an exit code.
#pragma once

#include "cli/command_line.hpp"

namespace barnum {

cli::Command run_command();

}  // namespace barnum
