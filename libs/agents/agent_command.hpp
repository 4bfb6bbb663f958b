// Checks the command of agents before anything starts. Runs nothing.
#pragma once

#include "base/error.hpp"

#include <string>
#include <string_view>

namespace agents {

// An error if the shell text certainly begins with a program that can't be executed: its first word is a path
// without special characters, and no executable file is there. Anything else is known only when the shell
// runs the text. A relative path starts from `directory`, where the agents run. The message begins with
// `option`, the option that the command was given with.
base::Result<void> check_agent_command(std::string_view option, const std::string& command,
                                       const std::string& directory);

}  // namespace agents
