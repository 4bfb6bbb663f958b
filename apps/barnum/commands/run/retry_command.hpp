// `barnum retry RUN`: a new run that takes over what is done, and tries again what was dropped.
#pragma once

#include "cli/command_line.hpp"

namespace barnum {

cli::Command retry_command();

}  // namespace barnum
