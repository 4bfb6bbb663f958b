// What must hold of a conversation with an agent's program, whatever the program prints.
#pragma once

#include "agent_driver/settings.hpp"

#include <string_view>

namespace fuzz {

// `input` is what the program prints.
void check_agent_lines(agent_driver::AgentKind kind, std::string_view input);

}  // namespace fuzz
