// `barnum rm RUN...`: removes the directories of runs that have ended.
#pragma once

#include "cli/command_line.hpp"

namespace barnum {

cli::Command rm_command();

}  // namespace barnum
