// What a daemon waits for that drains. Pure.
#pragma once

#include "pool_protocol/status.hpp"

#include <string>

namespace pool_view {

// "the daemon waits for 2 agents, and until the engine has 1 answer".
std::string draining_text(const pool_protocol::Status& status);

}  // namespace pool_view
