// Tasks wait, and no agent can take them: told to the log and to submitters.
#pragma once

#include "edge_shell/edge.hpp"
#include "pool/machine.hpp"
#include "pool/unmatched_on_all_hosts.hpp"
#include "pool_daemon/away_agents.hpp"
#include "pool_daemon/submissions.hpp"
#include "pool_daemon/timer_queue.hpp"
#include "pool_protocol/pool_directory.hpp"
#include "pool_protocol/status.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace pool_daemon {

class MissingAgents {
  public:
    // The arguments but `directory` must outlive it.
    MissingAgents(const pool::State& state, AwayAgents& away, Submissions& submissions, TimerQueue& timers,
                  pool_protocol::PoolDirectory directory, bool is_private);
    // The pool is one over many hosts. The edge must outlive this object's use.
    void set_edge(edge_shell::Edge& edge) { edge_ = &edge; }

    // To be called before and after each event of the pool. Warns, after a while, that tasks wait, but no
    // agent was started.
    void before_event();
    void after_event();
    // An agent has responded, so a lack of agents would be news.
    void agent_responded() { was_told_ = false; }

    void tell(const pool::ReportUnmatched& action);
    void tell(const pool::TellUnmatched& action);

    // ---- only over many hosts ----
    // A task has gone to the engine.
    void watch_all_hosts();
    // What waits in the engine is looked at again.
    void see_waiting();
    void see_hosts(const std::vector<pool_protocol::HostStatus>& hosts);
    std::vector<pool_protocol::QueueStatus::Unmatched> unmatched_in_engine() const;

  private:
    bool lacks_agents() const;
    base::Labels labels_of_first() const;
    void look_at_waiting();
    pool::UnmatchedOnAllHosts::Waiting waiting_in_engine() const;
    // The end of a message about tasks with these labels that no attached agent can take; may be empty.
    std::string what_helps(const base::Labels& labels);

    const pool::State& state_;
    AwayAgents& away_;
    Submissions& submissions_;
    TimerQueue& timers_;
    pool_protocol::PoolDirectory directory_;
    bool is_private_;
    edge_shell::Edge* edge_ = nullptr;
    pool::UnmatchedOnAllHosts on_all_hosts_;
    bool watches_all_hosts_ = false;
    bool is_watching_ = false;
    bool was_told_ = false;  // and no agent has responded since
    std::optional<std::chrono::steady_clock::time_point> agent_seen_;
};

}  // namespace pool_daemon
