// `troupe agent --exec`: the loop that everybody writes by hand. Takes a task, runs a shell command for it,
// writes its stdout as the response; answers heartbeats itself.
#pragma once

#include "base/error.hpp"
#include "io/directory_watch.hpp"
#include "io/marked_processes.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <boost/asio/awaitable.hpp>

#include <string>

namespace pool_client {

struct AgentOptions {
    std::string name;             // shown in the daemon's log
    std::string command;          // `sh -c` text: content JSON on stdin, response on stdout
    std::string directory;        // where it runs, absolute
    io::Environment environment;  // over this process's own
};

// Returns, with the error, when the pool is gone; a terminal cancellation ends the command and throws
// operation_aborted. A command that fails hands its task back. One with a timeout that fails a third time
// here is left to time out instead, so that what can't be done counts as an attempt; one without goes round
// until somebody does it. An agent that ends gives everything back.
boost::asio::awaitable<base::Error> run_agent(io::DirectoryWatch& watch,
                                              pool_protocol::PoolDirectory directory, AgentOptions options);

}  // namespace pool_client
