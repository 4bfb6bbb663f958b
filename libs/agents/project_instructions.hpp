// What a task's directory says to models in files such as CLAUDE.md, for a program that is not to read them
// itself.
#pragma once

#include "agent_driver/settings.hpp"

#include <string>

namespace agents {

// The texts of the files that agent_driver::instruction_files() names, in the settings' directory and in
// those above it up to the top of its repository; without a repository, of the directory only. The outermost
// comes first. A file that is not a regular file within that top is left out. Of each file, at most
// 64 KiB count. Empty if there is none.
std::string project_instructions(const agent_driver::Settings& settings);

}  // namespace agents
