// `barnum inspect`: what a state log tells, as text or JSON. Changes nothing and takes no lock that lasts,
// unless it is told to accept edits.
#pragma once

#include "cli/command_line.hpp"

namespace barnum {

cli::Command inspect_command();

}  // namespace barnum
