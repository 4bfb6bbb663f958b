// The command of a run's own agents, looked at before anything starts. Runs nothing.
#pragma once

#include "base/error.hpp"

#include <string>

namespace barnum {

// An error if the shell text certainly begins with a program that can't be executed: its first word is a
// path, and plain, and there is no such file, or it isn't executable. What else a shell makes of a text isn't
// known before it is run. A relative path is from the current directory, where agents run.
base::Result<void> check_agent_command(const std::string& command);

}  // namespace barnum
