// Finds processes by variables in their environment, which they and their children keep even if they change
// their group or session. So the processes of a command are found that have left its process group.
#pragma once

#include "process/table.hpp"

#include <string>
#include <utility>
#include <vector>

namespace process {

using Environment = std::vector<std::pair<std::string, std::string>>;

// The processes of `table`, except this one, that belong to this user and have all of `variables` in the
// environment with which they were started. None if `variables` is empty. A process that is just executing
// another program may be missed. Guards are excluded: they have to end processes themselves.
std::vector<ProcessInfo> marked_processes(const Table& table, const Environment& variables);

}  // namespace process
