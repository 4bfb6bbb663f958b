// Asks a pool's daemon for its status (pool_protocol/status), which is possible over the socket only.
#pragma once

#include "base/error.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <string>

namespace pool_client {

// Which hosts a pool over many hosts is to tell of. To ask all of them takes a tenth of a second or more, and
// each of them answers: for people, and not too often.
enum class AskedHosts { this_one, all };

// The text of the daemon's answer, for pool_protocol::parse_status(). Does not make systemd start a daemon.
// Errors say what to do: errc::host_unreachable if no daemon serves the pool, errc::timed_out if it has not
// answered in time, errc::connection_reset if it closed the connection, errc::operation_not_supported if it
// is the published daemon, which is not asked.
boost::asio::awaitable<base::Result<std::string>> ask_status(pool_protocol::PoolDirectory directory,
                                                             std::chrono::milliseconds at_most,
                                                             AskedHosts hosts);

// As ask_status(), with any question of one frame, and without a word about its answer.
boost::asio::awaitable<base::Result<std::string>> ask_daemon(pool_protocol::PoolDirectory directory,
                                                             std::chrono::milliseconds at_most,
                                                             std::string question);

// Whether asking again later may help.
bool is_outage(const base::Error& error);

}  // namespace pool_client
