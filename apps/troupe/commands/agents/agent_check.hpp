// `troupe agent --check`: has an agent's program do one small task, without a pool.
#pragma once

#include "agent_driver/settings.hpp"

namespace troupe {

// Prints the result, and returns the exit code: 0 if the program can work.
int check_agent(const agent_driver::AgentGroup& group);

}  // namespace troupe
