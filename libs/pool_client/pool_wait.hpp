// Waiting for a pool to be served.
#pragma once

#include "base/error.hpp"
#include "io/directory.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>

namespace pool_client {

// Returns the pool's open directory once its `status` says that it is ready. The error names the directory
// and the way to start a daemon (errc::host_unreachable); a pool that belongs to somebody else is an error at
// once.
boost::asio::awaitable<base::Result<io::Directory>> wait_for_pool(pool_protocol::PoolDirectory directory,
                                                                  std::chrono::milliseconds at_most);

// The same, for up to 10 s, and with a word in the log when it has to wait.
boost::asio::awaitable<base::Result<io::Directory>> wait_for_pool(pool_protocol::PoolDirectory directory);

// "no daemon serves …", as above.
base::Error not_served(const pool_protocol::PoolDirectory& directory);

}  // namespace pool_client
