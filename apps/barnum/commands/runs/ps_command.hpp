// `barnum ps`: the runs of this user on this machine.
#pragma once

#include "cli/command_line.hpp"

namespace barnum {

cli::Command ps_command();

}  // namespace barnum
