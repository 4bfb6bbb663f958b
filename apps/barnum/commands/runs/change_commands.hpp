// The commands that change a living run: `barnum pause`, `barnum continue` and `barnum scale`.
#pragma once

#include "cli/command_line.hpp"

namespace barnum {

cli::Command pause_command();
cli::Command continue_command();
cli::Command scale_command();

}  // namespace barnum
