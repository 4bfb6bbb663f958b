// A child process that works on an agent's task: it ends with the task's time, with a kick, and with the
// agent.
#pragma once

#include "agents/agent_options.hpp"
#include "io/directory_watch.hpp"
#include "pool_client/agent.hpp"
#include "process/child_process.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <optional>

namespace agents {

// How the child ended, and the reason of the kick if one ended it.
struct ChildEnd {
    ChildEnd() = default;  // no aggregate: g++ 12 destroys those twice in coroutines

    process::ChildResult result;
    std::optional<pool_protocol::StatedKickReason> kick;
};

// Adds the agent's mark, the task's time and a stop to `spec`. A terminal cancellation ends the child; the
// result is `cancelled`, without a kick.
boost::asio::awaitable<ChildEnd> run_task_child(io::DirectoryWatch& watch,
                                                const pool_protocol::PoolDirectory& directory,
                                                const AgentOptions& options,
                                                const pool_client::Assignment& assignment,
                                                process::ChildSpec spec);

// `timeout_seconds` of the content. If the content was left in its file, only the end of the file is
// searched.
std::optional<std::chrono::milliseconds> timeout_of(const pool_client::Assignment& assignment);

}  // namespace agents
