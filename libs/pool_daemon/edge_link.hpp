// The pool's link to its edge, if it is a pool over many hosts: the pool gets the engine's tasks, and the
// edge learns what becomes of them. Without an engine there is no edge, and all tasks are of this host's
// pool.
#pragma once

#include "edge_shell/edge.hpp"
#include "pool/machine.hpp"
#include "pool_daemon/away_agents.hpp"
#include "pool_daemon/daemon.hpp"
#include "pool_daemon/leases.hpp"
#include "pool_daemon/pool_files.hpp"
#include "pool_daemon/submissions.hpp"
#include "pool_protocol/answer.hpp"
#include "pool_protocol/status.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace pool_daemon {

class EdgeLink {
  public:
    struct Callbacks {
        std::function<void(pool::Event)> feed;  // to the pool's machine; may come back here at once
        std::function<void()> on_delivered;     // the engine has got an answer
    };

    // The arguments must outlive it.
    EdgeLink(const pool::State& state, Leases& leases, AwayAgents& away, Submissions& submissions,
             Callbacks callbacks);

    // To be called first, if there is an engine.
    base::Result<void> open(const boost::asio::any_io_executor& executor, const PoolFiles& files,
                            const EngineOptions& options);
    // Null without an engine.
    edge_shell::Edge* edge() const { return edge_.get(); }
    // Begins once the pool knows which agents are still at work.
    void start();

    bool is_of_engine(const pool::SubmissionId& id) const { return edge_ && edge_->has_task(id); }

    // What the submission's agent gets, whoever has submitted it; null if that is unknown.
    const std::string* content(const pool::SubmissionId& id) const;
    std::string_view schema(const pool::SubmissionId& id) const;

    // Tells the edge what has changed in the pool; to be called when all events so far are over.
    void pool_changed();
    // The agent is about to give its task back. If that is one of the engine, and its content is unknown,
    // because an earlier daemon had assigned it, no other agent here can get it. `more`: that the pool has
    // not counted yet.
    void release_unknown(const pool::AgentId& id, edge::Setbacks more = {});
    // An agent has left a task of the engine.
    void note_report(const pool::SubmissionId& id, pool_protocol::AgentReport report);
    // Answers a task of the engine.
    void answer(const pool::SubmissionId& id, pool_protocol::Answer answer);
    // If another host may get the task once it is answered, it is answered when its agent's work has ended.
    // False if that is not so, and nothing is done.
    bool answer_at_end(const pool::Refuse& action);

    // This host, as other hosts show it. Requires an edge.
    pool_protocol::HostStatus host_status() const;

  private:
    // An agent at work on a task that is not its own any more: the edge is told when that has ended.
    struct Ending {
        pool::SubmissionId task;
        bool was_stopped = false;  // the pool stops; otherwise the task was recalled
    };

    edge_shell::Edge::Callbacks edge_callbacks();
    bool is_at_work(const pool::AgentId& id) const;
    void recall(const pool::SubmissionId& id, bool wants_end);
    std::optional<edge_shell::Work> work_of(const pool::SubmissionId& id) const;
    std::vector<edge::agent_side::IdleAgents> idle_agents() const;
    void tell_ends();
    std::optional<std::vector<base::Labels>> labels_of_agents() const;

    const pool::State& state_;
    Leases& leases_;
    AwayAgents& away_;
    Submissions& submissions_;
    Callbacks callbacks_;
    std::unique_ptr<edge_shell::Edge> edge_;
    std::unordered_map<pool::AgentId, Ending> ending_;
    std::unordered_set<pool::SubmissionId> unassigned_;  // of which the edge was told
    std::vector<edge::agent_side::IdleAgents> idle_;     // of which the edge was told last
    bool idle_is_stale_ = true;
    // The reports of agents that have left tasks of the engine, until these are answered or queued again.
    std::unordered_map<pool::SubmissionId, pool_protocol::AgentReport> last_reports_;
};

}  // namespace pool_daemon
