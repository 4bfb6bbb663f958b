// `troupe agent --exec`: takes a task, runs a shell command for it, writes its stdout as the response, and
// takes the next one; answers heartbeats itself.
#pragma once

#include "base/error.hpp"
#include "io/directory_watch.hpp"
#include "pool_client/agent_session.hpp"
#include "pool_protocol/pool_directory.hpp"
#include "process/marked_processes.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <functional>
#include <string>

namespace pool_client {

struct AgentOptions {
    std::string name;       // shown in the daemon's log
    std::string command;    // `sh -c` text: content JSON on stdin, response on stdout
    std::string directory;  // where it runs, absolute
    // Over this process's own. Besides, the command gets BARNUM_AGENT, which is `name`, and BARNUM_AGENT_ID,
    // the agent's id in the pool, another one for each task.
    process::Environment environment;
    AgentSession* session = nullptr;  // never null when it runs, and outlives it
    bool ends_when_told = true;       // a kick, and the end of its task's time, end the command
    // Of a run's own agents, which looks after them: ends at once when the pool is away or stops, rather than
    // to wait for it.
    bool is_supervised = false;
    // Whether the agent is to end after its task; may be empty.
    std::function<bool()> is_draining;
    // Told when it begins a task and when it has reported how the task ended; may be empty.
    std::function<void(bool is_at_work)> on_task;
    // Whether the log that this one writes into has word of tasks handed back from the pool itself; may be
    // empty.
    std::function<bool()> pool_reports_here;
    // Told when the agent begins to rest after a failure, when the pool doesn't see it, and when the rest is
    // over; may be empty. `is_its_own`: the trouble is the agent's, not the task's.
    std::function<void(const std::string& why, std::chrono::milliseconds time, bool is_its_own)> on_rest;
    std::function<void()> on_return;
};

// The code of the error that an agent ends with whose command can't be executed.
inline constexpr auto command_unusable = boost::system::errc::executable_format_error;

// Returns, with the error, when the pool is gone, when it is drained (operation_canceled), and when the shell
// can't find or execute the command (exit code 127 or 126) before it has succeeded once; a terminal
// cancellation ends the command, hands its task back and throws operation_aborted. A command that fails fails
// the task; its exit code 75 hands the task back, and the agent rests, 5 s at first, doubled each time up to
// 5 min.
boost::asio::awaitable<base::Error> run_agent(io::DirectoryWatch& watch,
                                              pool_protocol::PoolDirectory directory, AgentOptions options);

}  // namespace pool_client
