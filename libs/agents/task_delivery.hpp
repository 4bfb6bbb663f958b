// Gives an agent's task back to the pool: the response, or the reason why there is none.
#pragma once

#include "agents/agent_options.hpp"
#include "agents/work_end.hpp"
#include "pool_client/agent.hpp"

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <string>

namespace agents {

// Writes the response, after the report. Retries as long as that fails and the task is still assigned to the
// agent, or until a terminal cancellation. Returns whether it was written.
boost::asio::awaitable<bool> deliver(const pool_protocol::PoolDirectory& directory,
                                     const AgentOptions& options, const pool_client::Assignment& assignment,
                                     std::string response,
                                     std::optional<pool_protocol::AgentReport> report = std::nullopt);

// Releases the task over the session. If the daemon has not processed that after 5 s, or without a
// connection, releases it by a file, for which it does not wait. A cancellation doesn't end it: call it under
// throw_if_cancelled(false).
boost::asio::awaitable<base::Result<void>> release_task(const pool_protocol::PoolDirectory& directory,
                                                        const AgentOptions& options,
                                                        const pool_client::Assignment& assignment,
                                                        pool_protocol::Release release);

// The release of the task of work that did not lead to a response. Pure.
pool_protocol::Release release_for(const WorkEnd& end);

}  // namespace agents
