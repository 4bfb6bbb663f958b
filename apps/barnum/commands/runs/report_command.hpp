// `barnum report`
#pragma once

#include "cli/command_line.hpp"

namespace barnum {

cli::Command report_command();

}  // namespace barnum
