// One task of an agent that runs a command: the command, until it ends, times out or is ended by a kick, and
// the delivery of its output.
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

// How the command ended, and the reason of the kick if one ended it.
struct CommandEnd {
    process::ChildResult result;
    std::optional<pool_protocol::KickReason> kick;
};

// A terminal cancellation ends the command; the result is `cancelled`, without a kick.
boost::asio::awaitable<CommandEnd> run_command(io::DirectoryWatch& watch,
                                               const pool_protocol::PoolDirectory& directory,
                                               const AgentOptions& options, const Assignment& assignment);

// Writes the response. Retries as long as that fails and the task is still assigned to the agent, or until a
// terminal cancellation. Returns whether it was written.
boost::asio::awaitable<bool> deliver(const pool_protocol::PoolDirectory& directory,
                                     const AgentOptions& options, const Assignment& assignment,
                                     std::string response);

// Releases the task over the session. If the daemon has not processed that after 5 s, or without a
// connection, releases it by a file, for which it does not wait. A cancellation doesn't end it: call it under
// throw_if_cancelled(false).
boost::asio::awaitable<base::Result<void>> let_go(const pool_protocol::PoolDirectory& directory,
                                                  const AgentOptions& options, const Assignment& assignment,
                                                  pool_protocol::Release release);

// `timeout_seconds` of the content. If the content was left in its file, only the end of the file is
// searched.
std::optional<std::chrono::milliseconds> timeout_of(const Assignment& assignment);

}  // namespace pool_client
