// The servers of tools that a session of the Agent Client Protocol is given. For this room only.
#pragma once

#include "agent_driver/mcp_servers.hpp"

#include <string>
#include <vector>

namespace agent_driver {

// The member "mcpServers" of the requests that begin or load a session.
std::string acp_servers(const std::vector<McpServer>& servers);

// Whether one of them runs already, which not every program can use.
bool has_running_server(const std::vector<McpServer>& servers);

}  // namespace agent_driver
