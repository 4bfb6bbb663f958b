// What the permissions of agents do not bound, as far as it is seen before they start.
#pragma once

#include "agent_driver/settings.hpp"

#include <string>
#include <vector>

namespace agents {

// Sentences without a full stop. Empty if the agents' level holds as docs/agents.md says.
std::vector<std::string> level_warnings(const agent_driver::Settings& settings);

}  // namespace agents
