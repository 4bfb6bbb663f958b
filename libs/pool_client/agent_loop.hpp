// `troupe agent --exec`: the loop that everybody writes by hand. Takes a task, runs a shell command for it,
// writes its stdout as the response; answers heartbeats itself.
#pragma once

#include "base/error.hpp"
#include "io/directory_watch.hpp"
#include "io/marked_processes.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <string>

namespace pool_client {

struct AgentOptions {
    std::string name;             // shown in the daemon's log
    std::string command;          // `sh -c` text: content JSON on stdin, response on stdout
    std::string directory;        // where it runs, absolute
    io::Environment environment;  // over this process's own
    // Of a run's own agents, which looks after them: ends at once when the pool is away or stops, rather than
    // to wait for it, and when the shell can't find or execute the command (exit code 127 or 126) before it
    // has succeeded once.
    bool is_supervised = false;
    // Whether the log that this one writes into has word of tasks handed back from the pool itself; may be
    // empty.
    std::function<bool()> pool_tells_here;
};

// The code of the error that a supervised agent ends with, for a command that can't be executed.
inline constexpr auto command_unusable = boost::system::errc::executable_format_error;

// Returns, with the error, when the pool is gone; a terminal cancellation ends the command and throws
// operation_aborted. A command that fails hands its task back. One with a timeout that fails a third time
// here is left to time out instead, so that what can't be done counts as an attempt; one without goes round
// until somebody does it. An agent that ends gives everything back.
boost::asio::awaitable<base::Error> run_agent(io::DirectoryWatch& watch,
                                              pool_protocol::PoolDirectory directory, AgentOptions options);

}  // namespace pool_client
