// How messages name an agent.
#pragma once

#include <string>
#include <string_view>

namespace pool_protocol {

// "agent claude-2"; a name like "agent-1", which is the default, stays as it is.
std::string agent_label(std::string_view name);

}  // namespace pool_protocol
