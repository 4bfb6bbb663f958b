// Runs a command that waits, so that a signal cancels it: it can then withdraw what it has announced.
#pragma once

#include "io/directory_watch.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>

namespace troupe {

// Runs `command` with an event loop and a watch of its own. SIGINT, SIGTERM and SIGHUP (unless it is ignored)
// send it a terminal cancellation; the exit code is then 128 plus the signal's number.
int run_interruptible(std::function<boost::asio::awaitable<int>(io::DirectoryWatch&)> command);

}  // namespace troupe
