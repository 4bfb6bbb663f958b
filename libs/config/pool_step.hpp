// What steps whose tasks go to agents of a pool need of these, in words. Pure.
#pragma once

#include "config/workflow_config.hpp"

#include <string>

namespace config {

// "has the label gpu", for messages that no agent has; for a step without labels "is of another kind than
// shell", since any other agent would do.
std::string needed_of_agents(const Step& step);

// Who does the tasks of the step: "an agent of the pool", or "an agent of the kind shell" for a Command, and
// " that has the label gpu".
std::string agent_text(const Step& step);

}  // namespace config
