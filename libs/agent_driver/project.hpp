// What keeps a task's directory from configuring an agent's program, and what the program is told of the
// directory in its place. Pure.
#pragma once

#include "agent_driver/settings.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agent_driver {

// With these, git runs no command because a repository's own configuration names it, as far as git can be
// told so: the names of filters are not known in advance.
std::vector<Variable> git_variables();

// The directory and all that it is in, itself first; `directory` is absolute.
std::vector<std::string> with_parents(std::string_view directory);

// The names of the files with instructions for models that the driver has to give to the program, because
// the program does not read them itself. Empty if there are none.
std::span<const std::string_view> instruction_files(const Settings& settings);

}  // namespace agent_driver
