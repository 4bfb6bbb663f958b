// Asking a pool's daemon how it is (pool_protocol/status). Over the socket only: files have no such question.
#pragma once

#include "base/error.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <string>

namespace pool_client {

// The daemon's answer as it came, for pool_protocol::parse_status(). Starts no daemon that systemd would
// start for a connection. Errors say what to do: errc::host_unreachable when no daemon serves the pool,
// errc::timed_out when it has not answered in time, errc::connection_reset when it closed the connection,
// errc::operation_not_supported when it is the published one, which is not asked.
boost::asio::awaitable<base::Result<std::string>> ask_status(pool_protocol::PoolDirectory directory,
                                                             std::chrono::milliseconds at_most);

// Whether asking again later may help.
bool is_outage(const base::Error& error);

}  // namespace pool_client
