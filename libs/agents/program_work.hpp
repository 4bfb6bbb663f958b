// An agent's task done by an agent's program, such as Claude Code: starts the program, carries the lines of
// the conversation to and fro, and ends it. The shell around agents/program_task, which decides.
#pragma once

#include "agents/task_child.hpp"
#include "agents/work_end.hpp"

#include <chrono>

namespace agents {

// A terminal cancellation ends the program: `stopped`.
boost::asio::awaitable<WorkEnd> run_program(io::DirectoryWatch& watch,
                                            const pool_protocol::PoolDirectory& directory,
                                            const AgentOptions& options,
                                            const pool_client::Assignment& assignment);

// The longest time that try_program() takes for its task.
std::chrono::seconds trial_time(const agent_driver::AgentGroup& group);

// Has the program do a small task without a pool, to see whether it can work. A program that takes longer
// than trial_time() is ended: `timed_out`. A terminal cancellation ends the program: `stopped`.
boost::asio::awaitable<WorkEnd> try_program(agent_driver::AgentGroup group);

}  // namespace agents
