// `barnum resume RUN`: continues a run with the options that its record remembers.
#pragma once

#include "cli/command_line.hpp"

namespace barnum {

cli::Command resume_command();

}  // namespace barnum
