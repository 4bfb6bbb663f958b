// A command that waits, and takes back what it has announced when it is told to end.
#pragma once

#include "io/directory_watch.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>

namespace troupe {

// Runs `command` with an event loop and a watch of its own. SIGINT, SIGTERM and SIGHUP (unless it is ignored)
// cancel it (terminal); the exit code is then 128 plus the signal's number.
int run_interruptible(std::function<boost::asio::awaitable<int>(io::DirectoryWatch&)> command);

}  // namespace troupe
