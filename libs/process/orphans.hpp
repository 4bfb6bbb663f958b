// The children of this process: its own, which it has started and reaps itself, and orphans, which the kernel
// gives to it when their parents end. The kernel does so only if it is process 1 of a container, or a
// subreaper. To be called from one thread only.
#pragma once

#include <boost/asio/awaitable.hpp>

namespace process {

// A process is an own child from its start until it is reaped.
void add_own_child(int pid);
void remove_own_child(int pid);

// Reaps orphans when they have ended, until a terminal cancellation, which throws operation_aborted. Returns
// at once if this process gets none.
boost::asio::awaitable<void> reap_orphans();

}  // namespace process
