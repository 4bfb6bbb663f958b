// The agent's side of `troupe mcp`: tasks that its client takes from the pool, several at once, and gives in
// or back. Each is held by an agent of its own; all belong to one session, so that they go to others when
// this process dies. The shell around McpLedger, which decides who has what.
#pragma once

#include "agents/response_check.hpp"
#include "base/labels.hpp"
#include "io/directory_watch.hpp"
#include "io/task_group.hpp"
#include "mcp/call.hpp"
#include "pool_client/agent.hpp"
#include "pool_client/agent_session.hpp"
#include "pool_client/kick_watch.hpp"
#include "pool_tools/ledger.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pool_tools {

// To be used from the executor's thread only. End it with close().
class McpTasks {
  public:
    struct Settings {
        std::string name;  // of the agents; empty: that of the client
        base::Labels labels;
    };
    McpTasks(boost::asio::any_io_executor executor, io::DirectoryWatch& watch,
             pool_protocol::PoolDirectory directory, Settings settings);
    ~McpTasks();
    McpTasks(const McpTasks&) = delete;
    McpTasks& operator=(const McpTasks&) = delete;

    // Waits for a task for the call; a terminal cancellation throws operation_aborted, and no task is held.
    boost::asio::awaitable<mcp::Outcome> next(mcp::CallId call, std::string client,
                                              std::chrono::seconds time);
    // A task that the client has is given to it once more, by this call.
    mcp::Outcome again(mcp::CallId call, const std::string& id);
    // `response`: JSON, see the tool.
    mcp::Outcome finish(const std::string& id, std::string_view response);
    mcp::Outcome give_back(const std::string& id, std::string_view reason);
    mcp::Outcome keep_alive(const std::string& id);
    // The call's outcome was not read: if it was a task, it is handed back.
    void unheard(mcp::CallId call);

    std::vector<std::string> held() const { return ledger_.held(); }  // their ids
    // The text of a held task; nothing if it is not held.
    std::optional<std::string> content(const std::string& id) const;

    // Hands back what is held, and ends the session.
    boost::asio::awaitable<void> close();

  private:
    struct Held;
    struct Wait;
    boost::asio::awaitable<void> wait_for_task(std::shared_ptr<Wait> wait, pool_client::AgentTraits traits);
    boost::asio::awaitable<void> wait_for(std::shared_ptr<Wait> wait, pool_client::AgentTraits traits,
                                          std::chrono::seconds time);
    boost::asio::awaitable<void> release_task(std::shared_ptr<Held> held, pool_protocol::Release release);
    mcp::Outcome outcome_of(Wait& wait, mcp::CallId call, const std::string& name);
    mcp::Outcome given(mcp::CallId call, const Held& held);
    mcp::Outcome give_in(const std::shared_ptr<Held>& held, std::string_view text);
    mcp::Outcome hold(pool_client::Assignment assignment, mcp::CallId call, const std::string& name);
    void release_later(const std::string& id, pool_protocol::Release release);
    void taken_away(const std::string& id, const pool_protocol::StatedKickReason& reason);

    boost::asio::any_io_executor executor_;
    io::DirectoryWatch& watch_;
    pool_protocol::PoolDirectory directory_;
    Settings settings_;
    pool_client::AgentSession session_;
    bool has_session_ = false;
    McpLedger ledger_;
    std::map<std::string, std::shared_ptr<Held>> held_;  // what belongs to the tasks that the ledger has
    io::TaskGroup background_;                           // the session
    io::TaskGroup releases_;
};

}  // namespace pool_tools
