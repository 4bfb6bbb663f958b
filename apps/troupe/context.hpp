// What every command of troupe shares: its options, its event loop, its way to end.
#pragma once

#include "base/error.hpp"
#include "cli/command_line.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <functional>
#include <string>

namespace troupe {

// --root and --log-level, for every command.
boost::program_options::options_description global_options();
cli::ValuesByOption global_option_values();
// --pool. A shell offers those that the command can do something with.
enum class PoolChoice { any, served };
void add_pool_option(cli::Command& command, PoolChoice choice = PoolChoice::any);

base::Result<pool_protocol::PoolDirectory> pool_of(const cli::Options& options);

// The value of an option of type double. From 0, or from more than that, to 1e9; anything else is wrong
// usage.
std::chrono::milliseconds seconds_option(const cli::Options& options, const char* name, bool zero_allowed);

// Runs `command` as the process's only thread. Its result is the exit code; an exception
// that leaves it is a bug, logged, exit code 1.
int run_loop(std::function<boost::asio::awaitable<int>(boost::asio::io_context&)> command);

// Prints "troupe: <message>" to stderr.
int fail(const base::Error& error, int exit_code = cli::failure);

}  // namespace troupe
