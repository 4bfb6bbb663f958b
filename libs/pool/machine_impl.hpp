// The implementation of apply(): machine.cpp handles submissions, the pool and deadlines, machine_agents.cpp
// the events of agents, machine_queue.cpp what somebody wants of the queue. Private to this library.
#pragma once

#include "pool/machine.hpp"

#include <utility>

namespace pool {

inline Histogram::Duration span(Time from, Time to) {
    return std::chrono::duration_cast<Histogram::Duration>(to - from);
}

// One call of apply(): the state, the time, and the actions so far.
class Transition {
  public:
    Transition(State& state, Time now) : s_(state), now_(now) { actions_.reserve(2); }

    void operator()(const AgentReady& event);
    void operator()(const AgentLeft& event);
    void operator()(const AgentDied& event);
    void operator()(const AgentFailed& event);
    void operator()(const AgentTimedOut& event);
    void operator()(const AgentResponded& event);
    void operator()(const ResponseRejected& event);
    void operator()(const Recovered& event);
    void operator()(const AssignmentFailed& event);
    void operator()(const Submitted& event);
    void operator()(const Withdrawn& event);
    void operator()(const Cancelled& event);
    void operator()(const Moved& event);
    void operator()(const KickRequested& event);
    void operator()(const TimePassed&);
    void operator()(const Draining&);
    void operator()(const Stopping&);

    void match();
    void find_unmatched();
    std::vector<Action> take_actions() { return std::move(actions_); }

  private:
    void make_idle(const AgentId& id, Agent& agent, std::uint64_t turn);
    void set_deadline(const AgentId& id, Agent& agent, std::optional<Time> deadline);
    std::optional<Time> after(std::optional<Duration> span) const;
    void remove_agent(const AgentId& id);
    bool is_queued(const SubmissionId& id) const;
    void place(const SubmissionId& id, WaitingLine::Place place);
    void enqueue(const SubmissionId& id);
    void requeue(const SubmissionId& id);
    void requeue_at_front(const SubmissionId& id);
    void handed_back(const SubmissionId& id);
    bool is_at_fault(const Agent& agent, const std::string& reason);
    void unassign(const Agent& agent);
    void refuse(const SubmissionId& id, RefuseReason reason);
    void count(RefuseReason reason);
    void kick(const AgentId& id, KickReason reason);
    void recall(const AgentId& id, KickReason reason);
    void give_up_work(Agent& agent, RefuseReason reason);
    void finish_agent(const AgentId& id, RefuseReason reason);
    void end_work(const AgentId& id, void (Transition::*next)(const SubmissionId&));
    void died(const SubmissionId& id);
    void failed(const SubmissionId& id);
    bool waits_for_ending_agent(const SubmissionId& id);
    void assign(AgentId agent_id, SubmissionId submission_id);
    void deadline_passed(const AgentId& id);
    bool paused() const { return s_.paused_until && now_ < *s_.paused_until; }
    void pause();

    State& s_;
    Time now_;
    std::vector<Action> actions_;
};

}  // namespace pool
