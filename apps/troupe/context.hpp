// What all commands of troupe share: options, the event loop, the handling of errors.
#pragma once

#include "base/error.hpp"
#include "base/exit_code.hpp"
#include "base/labels.hpp"
#include "cli/command_line.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace troupe {

// --root, --log-level, --log-format and --help, which every command has.
std::vector<cli::Option> global_options();
// Sets the log's level and format, before a command runs.
void prepare(const cli::Options& given);

// The option --pool. `choice` determines which pools are candidates for completion.
enum class PoolChoice { any, served };
cli::Option pool_option(PoolChoice choice = PoolChoice::any);

// The option --label, which may be repeated. `summary`: for --help.
cli::Option label_option(std::string summary);
base::Result<base::Labels> labels_of(const std::vector<std::string>& given);

// How long a command waits until the daemon answers a request.
inline constexpr std::chrono::seconds answer_wait{10};

// The pool that --root and --pool select.
base::Result<pool_protocol::PoolDirectory> pool_of(const cli::Options& given);

// Runs `command` on the process's only thread and returns its result, the exit code. An exception that leaves
// it is a bug: it is logged, and the exit code is 1.
int run_loop(std::function<boost::asio::awaitable<int>(boost::asio::io_context&)> command);

// Prints "troupe: <message>" to stderr.
int fail(const base::Error& error, int exit_code = base::ExitCode::failure);

}  // namespace troupe
