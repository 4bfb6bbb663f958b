// What every command of troupe shares: its options, its event loop, its way to end.
#pragma once

#include "base/error.hpp"
#include "cli/command_line.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <functional>
#include <string>

namespace troupe {

// --root and --log-level, for every command.
boost::program_options::options_description global_options();
// --pool
void add_pool_option(boost::program_options::options_description& options);

base::Result<pool_protocol::PoolDirectory> pool_of(const cli::Options& options);

// Runs `command` as the process's only thread. Its result is the exit code; an exception
// that leaves it is a bug, logged, exit code 1.
int run_loop(std::function<boost::asio::awaitable<int>(boost::asio::io_context&)> command);

// Prints "troupe: <message>" to stderr.
int fail(const base::Error& error, int exit_code = cli::failure);

}  // namespace troupe
