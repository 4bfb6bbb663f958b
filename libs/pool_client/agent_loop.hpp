// `troupe agent --exec`: the loop that everybody writes by hand. Takes a task, runs a shell command for it,
// writes its stdout as the response; answers heartbeats itself.
#pragma once

#include "base/error.hpp"
#include "io/directory_watch.hpp"
#include "io/marked_processes.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <functional>
#include <string>

namespace pool_client {

struct AgentOptions {
    std::string name;       // shown in the daemon's log
    std::string command;    // `sh -c` text: content JSON on stdin, response on stdout
    std::string directory;  // where it runs, absolute
    // Over this process's own. Besides, the command gets BARNUM_AGENT, which is `name`, and BARNUM_AGENT_ID,
    // the agent's id in the pool, another one for each task.
    io::Environment environment;
    // Of a run's own agents, which looks after them: ends at once when the pool is away or stops, rather than
    // to wait for it.
    bool is_supervised = false;
    // Whether the log that this one writes into has word of tasks handed back from the pool itself; may be
    // empty.
    std::function<bool()> pool_tells_here;
    // One more for as long as the agent rests after a failure, when the pool doesn't see it. May be null;
    // outlives the agent.
    std::size_t* resting = nullptr;
};

// The code of the error that an agent ends with whose command can't be executed.
inline constexpr auto command_unusable = boost::system::errc::executable_format_error;

// Returns, with the error, when the pool is gone, and when the shell can't find or execute the command (exit
// code 127 or 126) before it has succeeded once; a terminal cancellation ends the command and throws
// operation_aborted. A command that fails hands its task back. One with a timeout that fails a third time
// here is left to time out instead, so that what can't be done counts as an attempt; one without goes round
// until somebody does it. An agent that ends gives everything back.
boost::asio::awaitable<base::Error> run_agent(io::DirectoryWatch& watch,
                                              pool_protocol::PoolDirectory directory, AgentOptions options);

}  // namespace pool_client
