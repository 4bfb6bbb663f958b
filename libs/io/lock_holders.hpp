// Who holds a file's flock(2), for a message to a person and for deciding whether waiting makes sense.
#pragma once

#include <vector>

namespace io {

// The processes that took a lock on the file of `fd` (any descriptor, O_PATH too), are alive and still have
// the file open, as far as can be seen. One that merely inherited a descriptor from a process that is gone is
// not among them. In order; empty also when it can't be known: no /proc, or another PID namespace.
std::vector<int> lock_holders(int fd);

}  // namespace io
