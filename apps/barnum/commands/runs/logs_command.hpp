// `barnum logs`: prints what the commands and hooks of a run have written.
#pragma once

#include "cli/command_line.hpp"

namespace barnum {

cli::Command logs_command();

}  // namespace barnum
