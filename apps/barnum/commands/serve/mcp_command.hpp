// `barnum mcp`: lets the model of a client of the Model Context Protocol write workflows, and start and
// follow runs.
#pragma once

#include "cli/command_line.hpp"

namespace barnum {

cli::Command mcp_command();

}  // namespace barnum
