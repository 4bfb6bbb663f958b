// An agent's task done by a shell command: the task's content on stdin, the response on stdout.
#pragma once

#include "agents/task_child.hpp"
#include "agents/work_end.hpp"

namespace agents {

// A terminal cancellation ends the command: `stopped`.
boost::asio::awaitable<WorkEnd> run_command(io::DirectoryWatch& watch,
                                            const pool_protocol::PoolDirectory& directory,
                                            const AgentOptions& options,
                                            const pool_client::Assignment& assignment);

// What the end of a command means. Pure.
WorkEnd work_end_of(ChildEnd end);

}  // namespace agents
