// What an agent does at its task, as the daemon is told. The shell around agents/program_task uses it.
#pragma once

#include "pool_client/agent_session.hpp"

#include <string>
#include <utility>

namespace agents {

// The activity is told as long as the object lives; the session must outlive it.
class ShownActivity {
  public:
    // `agent` is an id in the pool.
    ShownActivity(pool_client::AgentSession& session, std::string agent)
        : session_(session), agent_(std::move(agent)) {}
    ~ShownActivity() { session_.end_activity(agent_); }
    ShownActivity(const ShownActivity&) = delete;
    ShownActivity& operator=(const ShownActivity&) = delete;

    void change(const pool_protocol::AgentActivity& activity) { session_.set_activity(agent_, activity); }

  private:
    pool_client::AgentSession& session_;
    std::string agent_;
};

}  // namespace agents
