// Checks whether agents can be started on this machine. Starts nothing.
#pragma once

#include "agent_driver/settings.hpp"
#include "base/error.hpp"

#include <cstddef>
#include <string_view>

namespace agents {

// The error says what is missing: the directory, or the program of agents of that kind, and how to install
// it; or what is wrong with the file of servers. `settings` have passed agent_driver::check(). The message
// begins with `origin`, which says where they were given. Warns of what the agents' permissions do not bound.
base::Result<void> check_start(std::string_view origin, const agent_driver::Settings& settings);

// Whether this process may have as many open files as so many agents need when all of them work; without
// agents, as a run needs. The error has both numbers, and how many agents fit.
base::Result<void> check_open_files(std::size_t agents);

}  // namespace agents
