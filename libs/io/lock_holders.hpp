// Finds the processes that hold a file's flock(2), for messages, and to decide whether waiting makes sense.
#pragma once

#include <vector>

namespace io {

// The pids, in ascending order, of the processes that took a lock on the file of `fd` (any descriptor, O_PATH
// too), are alive and still have the file open, as far as this is visible. A process that only inherited the
// descriptor from an ended process is not included. Also empty if it is unknown: without /proc, or in another
// PID namespace.
std::vector<int> lock_holders(int fd);

}  // namespace io
