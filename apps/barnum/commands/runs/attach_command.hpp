// `barnum attach`: the progress of a living run.
#pragma once

#include "cli/command_line.hpp"

namespace barnum {

cli::Command attach_command();

}  // namespace barnum
