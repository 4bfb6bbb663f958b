// The options of `troupe agent` that say what its agents are.
#pragma once

#include "agent_driver/settings.hpp"
#include "base/error.hpp"
#include "cli/command_line.hpp"
#include "cli/option.hpp"

#include <vector>

namespace troupe {

// --kind, --exec, and one option for each setting in agent_driver/setting_table.
std::vector<cli::Option> agent_setting_options();

// The error says which option is wrong. The directory is absolute, and exists.
base::Result<agent_driver::AgentGroup> read_agent_settings(const cli::Options& given);

}  // namespace troupe
