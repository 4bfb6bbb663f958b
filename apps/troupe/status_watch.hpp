// Asking for a pool's status every second, through outages of its daemon.
#pragma once

#include "pool_protocol/pool_directory.hpp"
#include "status_display.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <memory>

namespace troupe {

// How long a daemon may take to answer.
inline constexpr std::chrono::seconds status_answer_time{5};

// Shows a status each second; an outage once for each. Returns only with an error that waiting doesn't help:
// the first status can't be had, the pool is somebody else's, or the display has failed.
boost::asio::awaitable<base::Error> watch_status(pool_protocol::PoolDirectory directory,
                                                 std::shared_ptr<StatusDisplay> display);

}  // namespace troupe
