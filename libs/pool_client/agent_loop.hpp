// The loop of `troupe agent --exec`: takes a task, runs a shell command for it, writes the command's stdout
// as the response, and takes the next task. Responds to heartbeats itself.
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
    // Added to this process's environment, with BARNUM_AGENT, which is `name`, and BARNUM_AGENT_ID, the
    // agent's id in the pool, which is a different one for each task.
    process::Environment environment;
    AgentSession* session = nullptr;  // required; must outlive the agent
    bool ends_when_told = true;       // a kick or the task's timeout ends the command
    // The agent belongs to a run, which supervises it: it ends as soon as the pool is gone or stops, and does
    // not wait for it.
    bool is_supervised = false;
    // Whether the agent is to end after its task; may be empty.
    std::function<bool()> is_draining;
    // Called when the agent begins a task and when it has reported the task's end; may be empty.
    std::function<void(bool is_at_work)> on_task;
    // Whether the pool itself reports tasks that are handed back to the same log; may be empty.
    std::function<bool()> pool_reports_here;
    // Called when the agent begins to rest or pause after a failure, and when that is over; the pool does not
    // see it meanwhile. May be empty. `is_its_own`: the failure is the agent's, not the task's.
    std::function<void(const std::string& why, std::chrono::milliseconds time, bool is_its_own)> on_rest;
    std::function<void()> on_return;
};

// The error code of an agent that ends because its command can't be executed.
inline constexpr auto command_unusable = boost::system::errc::executable_format_error;

// Returns an error when the pool is gone, when is_draining() is true after a task (operation_canceled), and
// when the shell can't find or execute the command (exit code 127 or 126) before it has succeeded once. A
// terminal cancellation ends the command, hands its task back and throws operation_aborted. If the command
// fails, the task fails. If it exits with 75, the task is handed back and the agent rests: 5 s at first,
// doubled each time up to 5 min.
boost::asio::awaitable<base::Error> run_agent(io::DirectoryWatch& watch,
                                              pool_protocol::PoolDirectory directory, AgentOptions options);

}  // namespace pool_client
