// The loop of an agent: takes a task, does it by a command or an agent's program, delivers the response, and
// takes the next task. Responds to heartbeats itself.
#pragma once

#include "agents/agent_options.hpp"
#include "base/error.hpp"
#include "io/directory_watch.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <boost/asio/awaitable.hpp>

namespace agents {

// The error code of an agent that ends because it cannot do any task.
inline constexpr auto agent_unusable = boost::system::errc::executable_format_error;

// Returns an error when the pool is gone, when is_draining() is true after a task (operation_canceled), and
// when the agent is unusable (agents/work_end). A terminal cancellation ends the work, hands its task back
// and throws operation_aborted. If the work fails, the task fails. If the agent is unavailable, the task is
// handed back and the agent rests: 5 s at first, doubled each time up to 5 min.
boost::asio::awaitable<base::Error> run_agent(io::DirectoryWatch& watch,
                                              pool_protocol::PoolDirectory directory, AgentOptions options);

}  // namespace agents
