// Reads the file with servers of tools that an agent's settings name.
#pragma once

#include "agent_driver/mcp_servers.hpp"
#include "agent_driver/settings.hpp"
#include "base/error.hpp"

#include <string>
#include <vector>

namespace agents {

// Empty if the settings name no file. The variables are filled in: those of the settings and of this process,
// without `withheld`, the secrets that the program does not get. The error begins with "mcp"; it is one, too,
// if the file lies in the agents' directory and project_settings is not set, or if a command is not there.
base::Result<std::vector<agent_driver::McpServer>> read_mcp_file(const agent_driver::Settings& settings,
                                                                 const std::vector<std::string>& withheld);

}  // namespace agents
