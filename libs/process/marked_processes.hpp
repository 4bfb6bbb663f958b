// Finding processes by variables in their environment, which they and what they start keep whatever group or
// session they move to: how a command is ended that has left its process group.
#pragma once

#include "process/table.hpp"

#include <string>
#include <utility>
#include <vector>

namespace process {

using Environment = std::vector<std::pair<std::string, std::string>>;

// Those of `table` that are this user's, not this one, and have all of `variables` in the environment that
// they were started with. None when `variables` is empty. Who is just becoming another program is missed.
// Process guards are left out: they have processes of their own to see to.
std::vector<ProcessInfo> marked_processes(const Table& table, const Environment& variables);

}  // namespace process
