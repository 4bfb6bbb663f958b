// What commands share that run an event loop until a signal or their client ends them: `barnum serve`,
// `barnum mcp`.
#pragma once

#include "cli/command_line.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <string>

namespace barnum {

// Sets the log's level, and returns --root, which may be empty.
std::string apply_global_options(const cli::Options& given);

// Returns the exit code of the command, or passes its exception on, when the loop has nothing left to do.
int run_event_loop(const std::function<boost::asio::awaitable<int>(boost::asio::any_io_executor)>& command);

}  // namespace barnum
