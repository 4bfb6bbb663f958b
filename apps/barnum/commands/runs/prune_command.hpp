// `barnum prune`: removes the directories of old runs.
#pragma once

#include "cli/command_line.hpp"

namespace barnum {

cli::Command prune_command();

}  // namespace barnum
