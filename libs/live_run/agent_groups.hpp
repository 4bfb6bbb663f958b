// The agents of a run before they start: those of the command line and of the config, and whether they can be
// started. Starts nothing.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "launch/run_options.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace live_run {

// Adds the config's agents to options.agents, unless they are left out, and makes the paths of all agents
// absolute. The error says what is missing on this machine: a directory, or a program. Warns of agents that
// may do everything. The config has Pool steps.
base::Result<void> add_config_agents(launch::RunOptions& options, const config::WorkflowConfig& config);

// Warns of Pool steps whose labels none of the run's own agents has, if only these can do its tasks.
void warn_of_labels(const launch::RunOptions& options, const config::WorkflowConfig& config);

struct NamedAgent {
    std::string name;                       // "claude-1"; "agent-1" for commands
    const agent_driver::AgentGroup* group;  // one of the groups
};

// "claude-1"; "agent-1" for commands.
std::string agent_name(agent_driver::AgentKind kind, std::size_t number);

// Every agent of the groups. Those of a kind are numbered from 1.
std::vector<NamedAgent> agents_of(const std::vector<agent_driver::AgentGroup>& groups);

}  // namespace live_run
