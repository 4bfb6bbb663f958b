// Asks for a pool's status every second, and continues through outages of its daemon.
#pragma once

#include "commands/pool/status_display.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace troupe {

// How long a daemon may take to answer.
inline constexpr std::chrono::seconds status_answer_time{5};

// Shows a status every second, and each outage once. `first` is what the daemon has answered already. Returns
// only after an error that waiting cannot resolve: the first request failed, the pool belongs to another
// user, or the display has failed.
boost::asio::awaitable<base::Error> watch_status(pool_protocol::PoolDirectory directory,
                                                 std::shared_ptr<StatusDisplay> display,
                                                 std::optional<std::string> first = {});

}  // namespace troupe
