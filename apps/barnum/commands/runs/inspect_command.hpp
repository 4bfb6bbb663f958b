// `barnum inspect`: prints the contents of a state log, as text or JSON. Unless it is told to accept edits,
// it changes nothing and keeps no lock.
#pragma once

#include "cli/command_line.hpp"

namespace barnum {

cli::Command inspect_command();

}  // namespace barnum
