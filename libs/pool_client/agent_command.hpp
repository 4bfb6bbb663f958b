// The command of agents, looked at before anything starts. Runs nothing.
#pragma once

#include "base/error.hpp"

#include <string>
#include <string_view>

namespace pool_client {

// An error if the shell text certainly begins with a program that can't be executed: its first word is a
// path, and plain, and there is no such file, or it isn't executable. What else a shell makes of a text isn't
// known before it is run. A relative path is from `directory`, where the agents run. `option`, which the
// command was given with, stands before the message.
base::Result<void> check_agent_command(std::string_view option, const std::string& command,
                                       const std::string& directory);

}  // namespace pool_client
