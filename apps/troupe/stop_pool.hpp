// Asking a daemon, ours or a published one, to stop, and seeing that it has.
#pragma once

#include "base/error.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <boost/asio/awaitable.hpp>

namespace troupe {

// Writes `stop` into the pool's status file and waits until nothing serves the pool. errc::no_such_process
// when nothing did; errc::timed_out when it goes on after 10 s. No process is signalled: a PID in a file may
// be a stranger's.
boost::asio::awaitable<base::Result<void>> stop_pool(pool_protocol::PoolDirectory directory);

// The same with `drain`, and without a limit to the waiting: agents may take as long as their tasks allow.
boost::asio::awaitable<base::Result<void>> drain_pool(pool_protocol::PoolDirectory directory);

}  // namespace troupe
