// Starts shells when the kernel may be short of descriptors, processes or memory: retries until it succeeds,
// in the order of the calls, throughout the process. Does not count or limit the number of processes.
#pragma once

#include "process/spawn.hpp"

#include <boost/asio/awaitable.hpp>

namespace process {

// Waits as long as resources are exhausted, and logs a warning at most once a minute. Other errors are
// returned at once, a terminal cancellation as errc::operation_canceled: call it with
// throw_if_cancelled(false). Throws std::bad_alloc if it is this process that may not have more memory
// (ulimit -v), and no child runs whose end could change that.
boost::asio::awaitable<base::Result<SpawnedShell>> start_shell(ShellRequest request);

// To be called once for each child that was started, when its descriptors were closed: the next start may
// succeed.
void child_has_ended();

}  // namespace process
