// Checks whether agents can be started on this machine. Starts nothing.
#pragma once

#include "agent_driver/settings.hpp"
#include "base/error.hpp"

#include <string_view>

namespace agents {

// The error says what is missing: the directory, or the program of agents of that kind, and how to install
// it. `settings` have passed agent_driver::check(). The message begins with `origin`, which says where they
// were given. Warns of agents that may do everything.
base::Result<void> check_start(std::string_view origin, const agent_driver::Settings& settings);

}  // namespace agents
