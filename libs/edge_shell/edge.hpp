// An edge: what connects the pool of this host with an engine, so that it becomes a part of a pool over many
// hosts (docs/hosts.md). Feeds the two machines of `edge`, and carries out what they decide. Knows neither
// agents nor submitters: the pool daemon does.
#pragma once

#include "edge_shell/activity_outbox.hpp"
#include "edge_shell/agent_tasks.hpp"
#include "edge_shell/engine.hpp"
#include "edge_shell/journal.hpp"
#include "edge_shell/submitter_tasks.hpp"
#include "io/directory.hpp"
#include "io/task_group.hpp"
#include "pool_protocol/engine_status.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace edge_shell {

// The file of the notes, in the pool's directory.
inline constexpr const char* journal_name = "engine.notes";

// To be used from the executor's thread only. What happens is gathered, and the machines get it in the same
// turn of the event loop; calls back from there, and from within unassigned().
class Edge {
  public:
    using TaskId = edge::TaskId;
    struct Callbacks {
        // ---- to the agents' side of the pool ----
        std::function<void(const Assignment&)> on_assign;
        std::function<void(const TaskId&, bool wants_end)> on_recall;
        // The idle agents, by their labels.
        std::function<std::vector<edge::agent_side::IdleAgents>()> idle_agents;
        // ---- to the submitters' side ----
        std::function<std::optional<Work>(const TaskId&)> work_of;
        std::function<void(const TaskId&, pool_protocol::Answer)> on_answer;
        // What an agent of another host does, as it was given to tell_activity() there.
        std::function<void(std::string text)> on_activity;
        // An agent of another host has left its task, which its record says. Once for each of them.
        std::function<void(std::string text)> on_left;
        // For the status.
        std::function<pool_protocol::HostStatus()> host_status;
        // After drain(): the engine has got all answers of agents so far. May come again.
        std::function<void()> on_delivered;
    };
    // While one exists, the machines get no events, not even urgent ones: for a caller that changes several
    // things at once.
    class Hold {
      public:
        explicit Hold(Edge& edge) : edge_(&edge) { ++edge_->holds_; }
        Hold(Hold&& other) noexcept : edge_(std::exchange(other.edge_, nullptr)) {}
        Hold& operator=(Hold&&) = delete;
        ~Hold() {
            if (edge_ != nullptr && --edge_->holds_ == 0 && edge_->is_pump_wanted_) edge_->pump();
        }

      private:
        Edge* edge_;
    };
    [[nodiscard]] Hold hold() { return Hold(*this); }

    // Reads the notes that an earlier process has left in `directory`.
    static base::Result<std::unique_ptr<Edge>> open(boost::asio::any_io_executor executor,
                                                    const io::Directory& directory, edge::EdgeId self,
                                                    edge::Times times, std::unique_ptr<Engine> engine,
                                                    Callbacks callbacks);
    ~Edge();
    Edge(const Edge&) = delete;
    Edge& operator=(const Edge&) = delete;

    // Connects to the engine. Before that, the pool reports what has become of the tasks in notes().
    void start();
    // Agents get no further tasks.
    void drain();
    // Returns when no task is left with this host, but at the latest after `patience`, or at once if the
    // engine cannot be reached. Then the connection is closed.
    boost::asio::awaitable<void> stop(std::chrono::milliseconds patience);

    // ---- what submitters do ----
    void submitted(const TaskId& task, const edge::Queue& queue);
    void withdrawn(const TaskId& task);
    bool has_submission(const TaskId& task) const { return submitters_->is_open(task); }

    // ---- what agents do ----
    void answered(const TaskId& task, pool_protocol::Answer answer);
    // No idle agent fits the task. It is recalled at once, before one comes.
    void unassigned(const TaskId& task, edge::Setbacks setbacks);
    // The agent has a task that is recalled; ended() follows.
    void note_ending(const TaskId& task, const std::string& agent);
    void ended(const TaskId& task);
    // Tells the host of the task's submitter, if that wants it; not each text if they come fast, and each may
    // be lost. What an agent has told at last, `at_once`, is not lost, and comes again with the task's
    // record.
    void tell_activity(const TaskId& task, std::string text, bool at_once);
    // To be called after every change of the idle agents.
    void idle_changed();

    // ---- what is known ----
    bool has_task(const TaskId& task) const { return agents_->note(task) != nullptr; }
    const AgentNote* note(const TaskId& task) const { return agents_->note(task); }
    const std::unordered_map<TaskId, AgentNote>& notes() const { return agents_->notes(); }
    const Work* work(const TaskId& task) const { return agents_->work(task); }
    bool has_submissions() const;
    // The tasks of this host's submitters that no host has, or that a host has, as far as is known here.
    std::vector<TaskId> waiting() const { return submissions(false); }
    std::vector<TaskId> with_hosts() const { return submissions(true); }
    bool is_connected() const { return connection_.is_up; }
    // The answers of agents here that the engine has not got yet.
    std::size_t kept_answers() const;
    // The status, without the hosts.
    pool_protocol::EngineStatus status() const;
    // `done` gets the hosts of the pool that answer in time.
    void ask_hosts(Engine::Patience patience,
                   std::function<void(std::vector<pool_protocol::HostStatus>)> done);

  private:
    using Action = std::variant<edge::agent_side::Action, edge::submitter_side::Action>;
    struct Connection {
        bool is_up = false;
        std::optional<std::chrono::system_clock::time_point> since;  // it is up, or was lost; none: never up
        std::string problem;                                         // why it is not; empty if it is
    };
    struct SubmitterEvent {
        edge::submitter_side::Event event;
        std::string text;
    };
    using Event = std::variant<edge::agent_side::Event, SubmitterEvent>;

    Edge(boost::asio::any_io_executor executor, edge::EdgeId self, edge::Times times,
         std::unique_ptr<Engine> engine, Journal journal, Callbacks callbacks);
    base::Result<void> recover();
    Engine::Callbacks engine_callbacks();
    AgentTasks::Callbacks agent_callbacks();
    SubmitterTasks::Callbacks submitter_callbacks();
    void connected(edge::StoreId store);
    void disconnected(const base::Error& why);
    void push(Event event);
    void pump_soon();
    void pump();
    void gather();
    void apply(const Event& event);
    void take(edge::agent_side::Action action);
    void take(edge::submitter_side::Action action);
    bool carry_out_all();
    bool save();
    void arm();
    void wake_at(edge::Time at);
    void time_passed();
    void withdraw_absent();
    void send_activity(edge::Time now);
    std::vector<TaskId> submissions(bool with_host) const;
    void look_for_twin(const std::vector<pool_protocol::HostStatus>& hosts);

    boost::asio::any_io_executor executor_;
    edge::EdgeId self_;
    std::unique_ptr<Engine> engine_;
    Journal journal_;
    Callbacks callbacks_;
    std::unique_ptr<AgentTasks> agents_;
    std::unique_ptr<SubmitterTasks> submitters_;
    ActivityOutbox activity_;
    std::deque<Action> actions_;  // that wait until the notes are on the disk
    std::deque<Event> events_;
    bool is_pumping_ = false;
    bool is_pump_due_ = false;     // the event loop will call it
    bool is_pump_wanted_ = false;  // when there is no hold any more
    int holds_ = 0;
    bool idle_is_stale_ = true;
    bool is_unsaved_ = false;  // the disk does not accept the notes
    bool has_asked_for_twins_ = false;
    bool has_told_of_twin_ = false;
    Connection connection_;
    boost::asio::steady_timer timer_;
    std::optional<edge::Time> armed_;
    std::optional<edge::Time> absence_ends_;  // of submitters, after the start
    boost::asio::steady_timer drained_;       // cancelled when a task has gone
    io::TaskGroup tasks_;
    std::shared_ptr<int> alive_ = std::make_shared<int>();  // a timer that has expired cannot be cancelled
};

}  // namespace edge_shell
