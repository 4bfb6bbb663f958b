// What an agent's program or command writes, without secrets: by these filters each of its bytes comes to us.
#pragma once

#include "agents/agent_options.hpp"
#include "output/redaction.hpp"

#include <memory>

namespace agents {

// Replaces the secrets of this process's environment, of the group's settings, and of `further` variables.
// Nothing is replaced if the agent does not redact.
std::shared_ptr<const output::Redaction> redaction_for(const AgentOptions& options,
                                                       const output::Variables& further = {});
// Does the same for an agent with these settings that redacts.
std::shared_ptr<const output::Redaction> redaction_for(const agent_driver::Settings& settings,
                                                       const output::Variables& further = {});

}  // namespace agents
