// An agent's task done by running it: a Command of a workflow (pool_protocol/command_task). The response says
// how the command has ended, also if it has failed. Any other task is refused, and runs nothing.
#pragma once

#include "agents/task_child.hpp"
#include "agents/work_end.hpp"
#include "pool_protocol/command_task.hpp"

namespace agents {

// A terminal cancellation ends the command: `stopped`.
boost::asio::awaitable<WorkEnd> run_shell(io::DirectoryWatch& watch,
                                          const pool_protocol::PoolDirectory& directory,
                                          const AgentOptions& options,
                                          const pool_client::Assignment& assignment);

// What the end of the command means; `error_output` is what it has written to stderr. Pure.
WorkEnd shell_end_of(ChildEnd end, std::string error_output);

// The variables of a command: those of the group's settings, and the task's, which win. Pure.
process::Environment variables_of(const agent_driver::Settings& settings,
                                  const pool_protocol::CommandTask& task);

}  // namespace agents
