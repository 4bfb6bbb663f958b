// What agent_driver has to know of this machine about an agent's program.
#pragma once

#include "agent_driver/launch.hpp"
#include "agent_driver/settings.hpp"
#include "agent_driver/surroundings.hpp"
#include "base/error.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agents {

// The program's file, absolute; nothing if it is not there. `name` is a path, or a name that is looked up in
// the PATH that the program will have: this process's own, or that of `environment`.
std::optional<std::string> find_program(std::string_view name,
                                        const std::vector<agent_driver::Variable>& environment);

// The places of a list as in PATH that are absolute. The others are those of the directory in which a program
// runs, which may be a stranger's.
std::string absolute_places(std::string_view path);

// Fails if a file that the settings name cannot be used.
base::Result<agent_driver::Surroundings> surroundings_of(const agent_driver::Settings& settings);

// Writes the files, each atomically, for all agents of this user.
base::Result<void> write_files(const std::vector<agent_driver::LaunchFile>& files);

}  // namespace agents
