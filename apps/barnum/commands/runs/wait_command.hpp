// `barnum wait`: waits until runs have ended.
#pragma once

#include "cli/command_line.hpp"

namespace barnum {

cli::Command wait_command();

}  // namespace barnum
