// Starting a shell when the kernel may be short of descriptors, processes or memory: it is then tried until
// there is room, first come, first served, in all of the process. Neither counts nor limits what runs.
#pragma once

#include "process/spawn.hpp"

#include <boost/asio/awaitable.hpp>

namespace process {

// Waits as long as a shortage lasts, with a line of warning at most once a minute; other errors are answered
// at once, and a terminal cancellation with errc::operation_canceled: call it with throw_if_cancelled(false).
boost::asio::awaitable<base::Result<SpawnedShell>> start_shell(ShellRequest request);

// To be called when a child's descriptors are closed: there may be room for the next.
void child_has_ended();

}  // namespace process
