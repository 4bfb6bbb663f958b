// One task of an agent that runs a command: the command, until it ends, its time is over or the pool wants it
// ended; and the delivery of what it printed.
#pragma once

#include "io/directory_watch.hpp"
#include "pool_client/agent.hpp"
#include "pool_client/agent_loop.hpp"
#include "pool_client/agent_session.hpp"
#include "process/child_process.hpp"

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <string>

namespace pool_client {

// How the command ended, and the reason if it was because the pool wants the task back.
struct CommandEnd {
    process::ChildResult result;
    std::optional<std::string> kick;
};

// A terminal cancellation ends the command, and is a result of `cancelled` that is not kicked.
boost::asio::awaitable<CommandEnd> run_command(io::DirectoryWatch& watch,
                                               const pool_protocol::PoolDirectory& directory,
                                               const AgentOptions& options, const Assignment& assignment);

// Writes the response, and tries again for as long as it can't be written and the task is still the agent's,
// or until a terminal cancellation. Returns whether it was written.
boost::asio::awaitable<bool> deliver(const pool_protocol::PoolDirectory& directory,
                                     const AgentOptions& options, const Assignment& assignment,
                                     std::string response);

// Lets go of the task, by the session or by file, and returns when the daemon knows of it or, after at most
// 5 s, when it is there for it to be read. A cancellation doesn't end it: call it under
// throw_if_cancelled(false).
boost::asio::awaitable<base::Result<void>> let_go(const pool_protocol::PoolDirectory& directory,
                                                  const AgentOptions& options, const Assignment& assignment,
                                                  pool_protocol::Release release);

// `timeout_seconds` of the content, which for one that is left in its file is looked for at the file's end
// only.
std::optional<std::chrono::milliseconds> timeout_of(const Assignment& assignment);

}  // namespace pool_client
