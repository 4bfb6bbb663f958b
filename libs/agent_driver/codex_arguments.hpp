// How Codex is told what its model may do, and what it takes from the directory. For this room only.
#pragma once

#include "agent_driver/settings.hpp"
#include "agent_driver/surroundings.hpp"

#include <string>
#include <vector>

namespace agent_driver {

// The program's command line, without its name.
std::vector<std::string> codex_arguments(const Settings& settings, const Surroundings& surroundings);

// The member of the request that begins a thread which says what its commands may do.
std::string codex_limits(const Settings& settings);
// The further members of that request which name its servers of tools: ",…", or empty.
std::string codex_servers(const Surroundings& surroundings);

}  // namespace agent_driver
