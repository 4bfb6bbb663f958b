// `barnum why`: why a run has executed a task, or has taken over its result.
#pragma once

#include "cli/command_line.hpp"

namespace barnum {

cli::Command why_command();

}  // namespace barnum
