// `barnum serve`: shows the runs and pools of this user in a browser.
#pragma once

#include "cli/command_line.hpp"

namespace barnum {

cli::Command serve_command();

}  // namespace barnum
