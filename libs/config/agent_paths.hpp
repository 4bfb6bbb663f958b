// The paths in the settings of agents.
#pragma once

#include "agent_driver/settings.hpp"

#include <string>

namespace config {

// Makes the settings' directory, and a program with a '/', absolute; relative ones begin in `directory`,
// which is also the directory if there is none. Does not look whether they exist.
void resolve_paths(agent_driver::Settings& settings, const std::string& directory);

}  // namespace config
