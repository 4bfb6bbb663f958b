// What every command of troupe shares: its options, its event loop, its way to end.
#pragma once

#include "base/error.hpp"
#include "cli/command_line.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <functional>
#include <string>
#include <vector>

namespace troupe {

// --root, --log-level and --help, which every command has.
std::vector<cli::Option> global_options();
// Sets the log's level, before a command runs.
void prepare(const cli::Options& given);

// --pool. The shell offers those pools that the command can do something with.
enum class PoolChoice { any, served };
cli::Option pool_option(PoolChoice choice = PoolChoice::any);

// The pool that --root and --pool say.
base::Result<pool_protocol::PoolDirectory> pool_of(const cli::Options& given);

// Runs `command` as the process's only thread. Its result is the exit code; an exception
// that leaves it is a bug, logged, exit code 1.
int run_loop(std::function<boost::asio::awaitable<int>(boost::asio::io_context&)> command);

// Prints "troupe: <message>" to stderr.
int fail(const base::Error& error, int exit_code = cli::failure);

}  // namespace troupe
