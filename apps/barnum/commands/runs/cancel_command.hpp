// `barnum cancel`: ends a run that another process executes.
#pragma once

#include "cli/command_line.hpp"

namespace barnum {

cli::Command cancel_command();

}  // namespace barnum
