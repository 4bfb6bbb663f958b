// Reads the agents of a config. Internal to config/load.
#pragma once

#include "agent_driver/settings.hpp"
#include "config/problem_list.hpp"
#include "json/json.hpp"

#include <string>
#include <vector>

namespace config {

// `value` is an array, `directory` that of the config. Reports all problems, each at its place, and what a
// kind of agent cannot do. The groups are valid only if no problem was found.
std::vector<agent_driver::AgentGroup> read_agents(json::View value, const std::string& directory,
                                                  ProblemList& problems);

}  // namespace config
