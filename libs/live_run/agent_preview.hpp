// Agents as `barnum run --dry-run` shows them. Starts nothing.
#pragma once

#include "agent_driver/settings.hpp"
#include "config/workflow_config.hpp"

#include <string>

namespace live_run {

// How many agents there are, the command line of their program in the form of a shell, where they work and
// with which labels. The group has passed add_config_agents().
std::string preview(const agent_driver::AgentGroup& group, const config::WorkflowConfig& config);

}  // namespace live_run
