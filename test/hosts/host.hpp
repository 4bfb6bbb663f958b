// A host: its edge, which is the two machines with the shell that they need, and what lives beside it:
// agents, submitters, and the notes on its disk. The edge can be killed between any two actions, suspended,
// and cut off.
#pragma once

#include "agents.hpp"
#include "link.hpp"
#include "sim_engine.hpp"
#include "story.hpp"

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace hosts {

class Host;

// What all hosts share.
struct World {
    Agenda agenda;
    workflow_test::Random random;
    Oracle oracle{agenda};
    SimEngine engine{agenda, random, oracle};
    Time engine_up{};        // until then, nobody can connect
    bool is_steady = false;  // whoever may connect does
    std::vector<std::unique_ptr<Host>> hosts;
    std::map<TaskId, std::set<std::size_t>> homes;  // the hosts of the tasks' submitters
    bool is_shared = false;  // each task has submitters on two hosts, for the same queue
    std::vector<Queue> queues;
    bool is_verbose = false;  // prints what happens

    explicit World(std::uint32_t seed) : random(seed) {}
    Host& host(const edge::EdgeId& name) { return *hosts.at(std::stoul(name.text().substr(1))); }
    Duration up_to(Duration span) {
        return std::chrono::milliseconds(random.below(static_cast<std::size_t>(span / 1ms) + 1));
    }
};

class Host {
  public:
    static constexpr int most_skew = 20;  // of a clock, in thousandths
    Host(World& world, std::size_t number, Weather weather);

    std::size_t number() const { return number_; }
    Agents& agents() { return agents_; }

    // The machine and its edge start.
    void start();

    // Submitters.
    void submit(const TaskId& task, const Queue& queue, std::optional<Duration> timeout);
    void withdraw(const TaskId& task);
    void submit_again(const TaskId& task);

    // Faults.
    enum class Death { edge, machine, machine_with_disk };
    void kill(Death death);
    void suspend(Duration span);
    // Between two actions, so many actions from now.
    void soon(std::size_t actions, std::function<void()> fault);
    void cut(Link::Direction direction, Duration span, bool is_noticed);
    void stop();
    // All faults are over.
    void heal();
    // It will not come back.
    void bury();
    // Those who wait for a task that nobody can do give up. A task that somebody had must have been answered.
    void give_up();
    void lose_connection();

    bool is_quiet() const;
    // What is not done yet, for a person.
    std::string pending() const;

    // Messages that arrive from the engine.
    void receive(Puller puller, const edge::agent_side::Event& event);
    void receive_notice(const TaskId& task, const Record& record);
    // Requests to this edge, by way of the engine.
    void receive_question(const std::function<void(edge::OwnerReply)>& asker, const edge::Ask& ask);
    void receive_search(const std::function<void(edge::Trace)>& asker, edge::Sought sought);
    void receive_join(const TaskId& task);
    bool is_reachable() const { return is_connected_; }
    Puller puller() const { return {number_, connection_}; }

  private:
    using AgentEvent = edge::agent_side::Event;
    using SubmitterEvent = edge::submitter_side::Event;
    using AnyAction = std::variant<edge::agent_side::Action, edge::submitter_side::Action>;

    struct Client {
        Queue queue;
        std::optional<Duration> timeout;
        bool waits = false;
        std::optional<Time> answered{};
    };

    Time local_now() const;
    template<class What>
    void log(const What& what) const {
        if (world_.is_verbose) print(world_.agenda.now(), name_.text(), describe(what));
    }
    Duration global(Duration local) const { return local * 1000 / (1000 + skew_); }
    void happens(const char* what) const {
        if (world_.is_verbose) print(world_.agenda.now(), name_.text(), what);
    }
    void connect();
    void disconnect();
    void arrive(const AgentEvent& event);
    void arrive(const SubmitterEvent& event);
    void feed(const AgentEvent& event);
    void feed(const SubmitterEvent& event);
    void carry_out();
    void feed_idle();
    void set_timers();
    void wake();
    void recover();
    void submit_waiting();
    void read_submission(const TaskId& task);
    void read_withdrawal(const TaskId& task);
    void work_failed(const Job& job);
    void answered(const TaskId& task, Outcome outcome);
    void lose_clients(bool all);
    void go_on(bool connection_is_gone);

    void send(std::function<void(Puller)> at_engine);
    void reply(Puller puller, const AgentEvent& event);
    void reply(Puller puller, const SubmitterEvent& event);
    template<class Event>
    void send_back(Puller puller, const Event& event);

    // What the actions do.
    void on(const edge::agent_side::Action& any);
    void on(const edge::submitter_side::Action& any);
    void on(const edge::agent_side::Pull& pull);
    void on(const edge::agent_side::Reply& action);
    void on(const edge::TraceReply& action);
    void on(const edge::agent_side::Assign& action);
    void on(const edge::agent_side::Recall& action);
    void on(const edge::submitter_side::Answer& action);
    template<class Event>
    void write(const edge::Write& action);
    template<class Event>
    void look_up(const edge::LookUp& action);
    template<class Event>
    void ask_owner(const edge::Ask& action);
    template<class Event>
    void search(const edge::Search& action);
    void check_assignment(const TaskId& task, const edge::Author& claim);
    void check_claim(const edge::Write& action);

    World& world_;
    std::size_t number_;
    edge::EdgeId name_;
    Link link_;
    Agents agents_;
    int skew_;  // of its clock, in thousandths
    Duration offset_;

    // What dies with the process.
    edge::agent_side::State agent_side_;
    edge::submitter_side::State submitter_side_;
    std::deque<AnyAction> todo_;
    std::deque<std::function<void()>> inbox_;  // while it is suspended
    std::set<TaskId> asked_;                   // the machine owes an answer
    std::set<TaskId> claiming_;
    std::map<std::uint64_t, std::function<void(edge::OwnerReply)>> questions_;
    std::map<std::uint64_t, std::function<void(edge::Trace)>> searches_;
    std::optional<Time> timer_;  // when the next one goes off
    bool idle_is_stale_ = false;
    bool is_carrying_out_ = false;
    bool is_resuming_ = false;  // what was to be done before it was suspended

    // What is on the disk.
    std::map<TaskId, edge::agent_side::Recovered> agent_notes_;
    std::map<TaskId, edge::submitter_side::Recovered> submitter_notes_;
    std::map<TaskId, Outcome> responses_;  // that came while the edge was dead

    std::map<TaskId, Client> clients_;
    bool is_alive_ = false;
    bool is_buried_ = false;
    bool is_suspended_ = false;
    bool is_connected_ = false;
    std::uint64_t connection_ = 0;
    std::uint64_t life_ = 0;
    std::uint64_t last_question_ = 0;
    std::size_t actions_left_ = 0;  // until the planned fault
    std::function<void()> planned_;
};

}  // namespace hosts
