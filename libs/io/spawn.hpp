// Starts `sh -c` by posix_spawn: fork's semantics at vfork's price, and no code of ours between fork and
// exec.
#pragma once

#include "base/error.hpp"
#include "io/marked_processes.hpp"
#include "io/unique_fd.hpp"

#include <string>

namespace io {

// A started shell and our ends of its pipes, all close-on-exec.
struct SpawnedShell {
    int pid = -1;  // also its process group's id
    UniqueFd input;
    UniqueFd output;
    UniqueFd error_output;
};

// In a process group of its own, in `directory`, with default signals, an empty signal mask and only fds 0 to
// 2 (R24).
base::Result<SpawnedShell> spawn_shell(const std::string& script, const std::string& directory,
                                       const Environment& environment);

}  // namespace io
