// Finding out whether a pool is served, and waiting for it.
#pragma once

#include "base/error.hpp"
#include "io/directory.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <string>

namespace pool_client {

// Returns the pool's open directory if it has a `status` file. Otherwise the error is not_served(), or says
// why the directory can't be opened.
base::Result<io::Directory> open_served_pool(const pool_protocol::PoolDirectory& directory);

// Makes a connection to the pool's socket and closes it. If systemd holds the socket, this starts the daemon.
// Returns whether somebody listens there.
bool knock(const pool_protocol::PoolDirectory& directory);

// Like open_served_pool(), once the pool is served; knocks until somebody listens. An error other than
// not_served() is returned at once.
boost::asio::awaitable<base::Result<io::Directory>> wait_for_pool(pool_protocol::PoolDirectory directory,
                                                                  std::chrono::milliseconds at_most);

// Waits for up to 10 s. Logs that it waits, if it has to.
boost::asio::awaitable<base::Result<io::Directory>> wait_for_pool(pool_protocol::PoolDirectory directory);

// For an agent that a daemon has served before. If nobody serves the pool, waits for the next daemon as long
// as it takes, and logs that with the agent's name. But once the pool has stopped (pool_client/pool_end), the
// error is not_served().
boost::asio::awaitable<base::Result<io::Directory>> wait_for_next_daemon(
    pool_protocol::PoolDirectory directory, std::string agent_name);

// "no daemon serves …" (errc::host_unreachable), with the directory and the command that starts a daemon.
base::Error not_served(const pool_protocol::PoolDirectory& directory);

}  // namespace pool_client
