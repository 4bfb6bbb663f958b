// Asks a daemon, this project's or a published one, to stop, and waits until it has.
#pragma once

#include "base/error.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <boost/asio/awaitable.hpp>

namespace troupe {

// Writes `stop` into the pool's status file and waits until nothing serves the pool. errc::no_such_process
// if nothing served it, errc::timed_out if it is still served after 10 s. Sends no signal, because a pid in a
// file may be that of an unrelated process.
boost::asio::awaitable<base::Result<void>> stop_pool(pool_protocol::PoolDirectory directory);

}  // namespace troupe
