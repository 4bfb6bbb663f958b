// Finding processes by variables in their environment, which they and what they start keep whatever group or
// session they move to: how a command is ended that has left its process group.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace io {

using Environment = std::vector<std::pair<std::string, std::string>>;

// SIGKILL to every process of this user whose environment has all of `variables`; returns how many there
// were. None when `variables` is empty. One pass: what is being started meanwhile may be missed.
std::size_t kill_marked_processes(const Environment& variables);

}  // namespace io
