// The implementation of Daemon: daemon.cpp starts and ends it, daemon_events.cpp translates between the state
// machine of the pool and the parts of the daemon, daemon_status.cpp tells about the pool, daemon_repair.cpp
// creates again what was removed, daemon_kicks.cpp and daemon_queue.cpp do what an operator wants. Private to
// this library.
#pragma once

#include "edge_shell/edge.hpp"
#include "io/active_timer.hpp"
#include "io/frame_listener.hpp"
#include "pool/machine.hpp"
#include "pool_daemon/agent_sessions.hpp"
#include "pool_daemon/agents.hpp"
#include "pool_daemon/away_agents.hpp"
#include "pool_daemon/daemon.hpp"
#include "pool_daemon/edge_link.hpp"
#include "pool_daemon/inbox.hpp"
#include "pool_daemon/leases.hpp"
#include "pool_daemon/missing_agents.hpp"
#include "pool_daemon/pool_clock.hpp"
#include "pool_daemon/pool_files.hpp"
#include "pool_daemon/repair.hpp"
#include "pool_daemon/status.hpp"
#include "pool_daemon/submissions.hpp"
#include "pool_daemon/timer_queue.hpp"
#include "pool_daemon/total_counts.hpp"
#include "pool_protocol/answer.hpp"
#include "pool_protocol/kick_request.hpp"
#include "pool_protocol/queue_request.hpp"

#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pool_daemon {

// Connects the state machine with its sources of events (Inbox, FrameListener) and with the parts that carry
// out its actions (Agents, Submissions).
class Daemon::Impl {
  public:
    Impl(boost::asio::any_io_executor executor, io::DirectoryWatch& watch,
         pool_protocol::PoolDirectory directory, PoolFiles files, io::UniqueFd socket, Options options);

    base::Result<void> start(const std::optional<EngineOptions>& engine);
    boost::asio::awaitable<void> until_stop_requested();
    void request_stop();
    void request_drain();
    void end_service();
    void end_if_drained();
    std::string state() const { return summary(state_); }
    pool_protocol::Status status() const;
    pool::Load load() const;
    boost::asio::awaitable<void> stop();
    boost::asio::awaitable<void> hand_over();
    bool is_displaced() const { return is_displaced_; }
    void remove_pool() { files_.remove_all(); }

  private:
    base::Result<void> recover();
    void feed(pool::Event event);
    void agent_left(const pool::AgentId& id);
    void arm_deadline();
    void note_owner();
    base::Result<void> create_missing();
    base::Result<void> claim_again();
    base::Result<void> listen_again();

    pool_protocol::Lease lease_for(const pool::Assign& action) const;
    void perform(const pool::Assign& action);
    void perform(const pool::SendHeartbeat& action);
    void perform(const pool::Kick& action);
    void perform(const pool::Recall& action);
    void perform(const pool::Deliver& action);
    void perform(const pool::Refuse& action);
    void perform(const pool::Forget& action) { agents_.forget(action.agent); }
    void perform(const pool::DiscardResponse& action) { agents_.discard_response(action.agent); }
    void perform(const pool::ReportUnmatched& action) { missing_agents_.tell(action); }
    void perform(const pool::TellUnmatched& action) { missing_agents_.tell(action); }
    void handed_over(Agents::Handover handover, const pool::AgentId& agent);
    pool_protocol::Answer refusal(const pool::Refuse& action) const;
    void agent_released(const pool::AgentId& id, pool_protocol::Release::Reason reason);
    // Tells the submitters of the agent's task. `is_over`: the agent gives the task back.
    void tell_activity(const pool::AgentId& id, bool is_over);
    void note_last_error(const pool::AgentId& id);
    void time_passed();
    boost::asio::awaitable<void> end_agents();
    void end();

    base::Result<void> open_edge(const EngineOptions& options);
    void report_hosts(const std::shared_ptr<io::FramedSocket>& connection,
                      const std::optional<std::string>& id);
    // Whether the failure of the agent is the answer to its task.
    bool tells_failure(const pool::AgentId& id) const;
    void give_up_unknown(const pool::Assign& action);
    // Gives the answer to the submitters here, or to the engine.
    void answer(const pool::SubmissionId& id, pool_protocol::Answer answer);

    AgentSessions::Callbacks session_callbacks();
    Agents::Callbacks agent_callbacks();
    Submissions::Callbacks submission_callbacks();
    io::FramedSocket::Callbacks connection_callbacks();
    pool_protocol::KickedAgent kick_on_request(const pool::AgentId& id);
    std::vector<pool_protocol::KickedAgent> kick_all(const std::string& name_or_id);
    // The submissions that were answered `invalid`.
    std::uint64_t refused() const { return submissions_.refused() + bad_frames_; }
    std::string queue_answer(const pool_protocol::QueueRequest& request);
    pool_protocol::Queue queue(std::size_t at_most) const;
    // Carries out what somebody wants of the queued submission that is named.
    pool_protocol::QueueChange change_queued(const std::string& named,
                                             const std::function<void(const pool::SubmissionId&)>& change,
                                             pool_protocol::QueueChange::How how);
    void report_status(const std::shared_ptr<io::FramedSocket>& connection,
                       const pool_protocol::StatusRequest& request);

    boost::asio::any_io_executor executor_;
    pool_protocol::PoolDirectory directory_;
    std::chrono::system_clock::time_point started_ = std::chrono::system_clock::now();
    std::uint64_t bad_frames_ = 0;
    PoolFiles files_;
    pool::State state_;
    Leases leases_;
    TimerQueue timers_;
    TotalCounts total_;
    AgentSessions sessions_;
    AwayAgents away_;
    Agents agents_;
    Submissions submissions_;
    MissingAgents missing_agents_;
    std::size_t max_message_bytes_;
    std::string version_;
    EdgeLink edge_link_;
    edge_shell::Edge* edge_ = nullptr;  // that of edge_link_; null without an engine
    Inbox inbox_;
    Repair repair_;
    io::ActiveTimer deadline_;
    std::optional<pool::Time> armed_for_;
    bool armed_at_work_ = false;
    boost::asio::steady_timer service_ended_timer_;
    std::deque<pool::Event> events_;
    bool feeding_ = false;
    bool is_hosted_ = false;
    bool kick_is_requested_ = false;  // while the machine carries out a request to kick an agent
    bool is_private_ = false;
    std::string owner_;
    bool service_ended_ = false;       // by a request, or by the end of a drain
    bool has_drained_ = false;         // and no stop was requested
    bool waits_for_delivery_ = false;  // and it was told that a drain waits for the engine
    bool is_displaced_ = false;
    bool stopped_ = false;
    bool hands_over_ = false;     // the run that hosts the pool ends, and another one may host it next
    io::FrameListener listener_;  // destroyed first: it reports each connection that it closes
};

}  // namespace pool_daemon
