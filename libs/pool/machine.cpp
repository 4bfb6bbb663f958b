#include "pool/machine.hpp"

#include <algorithm>
#include <utility>

namespace pool {

namespace {

constexpr Duration first_pause = std::chrono::milliseconds(100);
constexpr Duration longest_pause = std::chrono::seconds(5);

Histogram::Duration span(Time from, Time to) {
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
    void operator()(const TimePassed&);
    void operator()(const Draining&);
    void operator()(const Stopping&);

    void match();
    std::vector<Action> take_actions() { return std::move(actions_); }

  private:
    void make_idle(const AgentId& id, Agent& agent, std::uint64_t turn);
    void set_deadline(const AgentId& id, Agent& agent, std::optional<Time> deadline);
    std::optional<Time> after(std::optional<Duration> span) const;
    void remove_agent(const AgentId& id);
    void requeue(const SubmissionId& id);
    void requeue_at_front(const SubmissionId& id);
    void handed_back(const SubmissionId& id);
    void unassign(const Agent& agent);
    void refuse(const SubmissionId& id, RefuseReason reason);
    void count(RefuseReason reason);
    void kick(const AgentId& id, KickReason reason);
    void recall(const AgentId& id, KickReason reason);
    void give_up_work(Agent& agent, RefuseReason reason);
    void is_through(const AgentId& id, RefuseReason reason);
    void stopped_work(const AgentId& id, void (Transition::*next)(const SubmissionId&));
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

std::optional<Time> Transition::after(std::optional<Duration> span) const {
    return span ? std::optional(now_ + *span) : std::nullopt;
}

void Transition::set_deadline(const AgentId& id, Agent& agent, std::optional<Time> deadline) {
    if (agent.deadline) s_.deadlines.erase({*agent.deadline, id});
    agent.deadline = deadline;
    if (agent.deadline) s_.deadlines.insert({*agent.deadline, id});
}

void Transition::make_idle(const AgentId& id, Agent& agent, std::uint64_t turn) {
    agent.phase = AgentPhase::idle;
    agent.submission.reset();
    if (agent.withdrawn) s_.ending.erase(*std::exchange(agent.withdrawn, std::nullopt));
    agent.turn = turn;
    agent.since = now_;
    s_.idle.emplace(turn, id);
    set_deadline(id, agent, after(s_.config.idle_timeout));
}

void Transition::remove_agent(const AgentId& id) {
    Agent& agent = s_.agents.at(id);
    set_deadline(id, agent, std::nullopt);
    if (agent.phase == AgentPhase::idle) s_.idle.erase(agent.turn);
    if (agent.withdrawn) s_.ending.erase(*agent.withdrawn);
    s_.agents.erase(id);
}

void Transition::refuse(const SubmissionId& id, RefuseReason reason) {
    actions_.emplace_back(Refuse{id, reason, s_.submissions.at(id).agent});
    count(reason);
    s_.submissions.erase(id);
}

void Transition::count(RefuseReason reason) {
    Statistics& statistics = s_.statistics;
    if (reason == RefuseReason::timeout)
        ++statistics.timed_out;
    else if (reason == RefuseReason::stopped)
        ++statistics.stopped;
    else
        ++statistics.failed;
}

void Transition::kick(const AgentId& id, KickReason reason) {
    actions_.emplace_back(Kick{id, reason});
    bool was_counted = s_.agents.at(id).phase == AgentPhase::ending;
    if (reason == KickReason::timeout && !was_counted) ++s_.statistics.kicked;
    remove_agent(id);
}

void Transition::recall(const AgentId& id, KickReason reason) {
    Agent& agent = s_.agents.at(id);
    agent.phase = AgentPhase::ending;
    agent.since = now_;
    set_deadline(id, agent, now_ + ending_time);
    actions_.emplace_back(Recall{id, reason});
    if (reason == KickReason::timeout) ++s_.statistics.kicked;
}

// The work of an agent that was told to end it is over: a submission that was withdrawn and submitted again
// waits for another agent, any other is refused.
void Transition::give_up_work(Agent& agent, RefuseReason reason) {
    std::optional<SubmissionId> submission = std::exchange(agent.submission, std::nullopt);
    if (!submission) return;
    if (agent.withdrawn == submission)
        requeue(*submission);
    else
        refuse(*submission, reason);
}

void Transition::is_through(const AgentId& id, RefuseReason reason) {
    give_up_work(s_.agents.at(id), reason);
    remove_agent(id);
    actions_.emplace_back(Forget{id});
}

// The agent is gone without a response. What it worked at goes to `next`.
void Transition::stopped_work(const AgentId& id, void (Transition::*next)(const SubmissionId&)) {
    Agent& agent = s_.agents.at(id);
    if (agent.phase == AgentPhase::ending) return is_through(id, RefuseReason::timeout);
    std::optional<SubmissionId> submission = agent.submission;
    remove_agent(id);
    if (submission) (this->*next)(*submission);
    actions_.emplace_back(Forget{id});
}

void Transition::died(const SubmissionId& id) {
    if (++s_.submissions.at(id).deaths >= most_deaths) return refuse(id, RefuseReason::lost);
    s_.submissions.at(id).since = now_;
    requeue_at_front(id);
}

void Transition::failed(const SubmissionId& id) {
    Submission& submission = s_.submissions.at(id);
    if (submission.wants_failures) return refuse(id, RefuseReason::failed);
    if (++submission.failures >= most_failures && submission.timeout)
        return refuse(id, RefuseReason::timeout);
    handed_back(id);
    requeue_at_front(id);
}

// At its old place.
void Transition::requeue(const SubmissionId& id) {
    if (s_.closing) return refuse(id, RefuseReason::stopped);
    Submission& submission = s_.submissions.at(id);
    submission.agent.reset();
    s_.queue.emplace(submission.turn, id);
}

void Transition::requeue_at_front(const SubmissionId& id) {
    s_.submissions.at(id).turn = s_.next_front_turn--;
    requeue(id);
}

void Transition::handed_back(const SubmissionId& id) {
    ++s_.statistics.handed_back;
    s_.submissions.at(id).since = now_;
}

// What it has was not given to it after all: the submission has waited on.
void Transition::unassign(const Agent& agent) {
    s_.statistics.waiting.remove(span(s_.submissions.at(*agent.submission).since, agent.assigned));
}

void Transition::assign(AgentId agent_id, SubmissionId submission_id) {
    Agent& agent = s_.agents.at(agent_id);
    Submission& submission = s_.submissions.at(submission_id);
    agent.phase = AgentPhase::busy;
    agent.submission = submission_id;
    submission.agent = agent_id;
    agent.since = agent.assigned = now_;
    s_.statistics.waiting.add(span(submission.since, now_));
    std::optional<Duration> timeout = submission.timeout ? submission.timeout : s_.config.task_timeout;
    set_deadline(agent_id, agent, after(timeout));
    actions_.emplace_back(Assign{std::move(agent_id), std::move(submission_id), timeout});
}

void Transition::match() {
    while (!s_.closing && !paused() && !s_.idle.empty() && !s_.queue.empty()) {
        AgentId agent = std::move(s_.idle.begin()->second);
        SubmissionId submission = std::move(s_.queue.begin()->second);
        s_.idle.erase(s_.idle.begin());
        s_.queue.erase(s_.queue.begin());
        assign(std::move(agent), std::move(submission));
    }
}

// Once for all that fails together: it is one trouble.
void Transition::pause() {
    if (paused()) return;
    s_.pause = std::clamp(2 * s_.pause, first_pause, longest_pause);
    s_.paused_until = now_ + s_.pause;
}

void Transition::operator()(const AgentReady& event) {
    auto [position, is_new] = s_.agents.try_emplace(event.agent);
    if (!is_new) return;
    position->second.ends_when_told = event.ends_when_told;
    make_idle(event.agent, position->second, s_.next_agent_turn++);
    if (s_.stopped) kick(event.agent, KickReason::stopped);
}

void Transition::operator()(const AgentLeft& event) {
    auto found = s_.agents.find(event.agent);
    if (found == s_.agents.end()) return;
    std::optional<SubmissionId> submission = found->second.submission;
    if (found->second.phase == AgentPhase::ending) return is_through(event.agent, RefuseReason::timeout);
    if (submission && event.unserved) unassign(found->second);
    if (submission && !event.unserved) handed_back(*submission);
    remove_agent(event.agent);
    if (submission) requeue_at_front(*submission);
    actions_.emplace_back(Forget{event.agent});
}

void Transition::operator()(const AgentDied& event) {
    auto found = s_.agents.find(event.agent);
    if (found == s_.agents.end()) return;
    if (found->second.phase != AgentPhase::idle) ++s_.statistics.died;
    stopped_work(event.agent, &Transition::died);
}

void Transition::operator()(const AgentFailed& event) {
    if (s_.agents.contains(event.agent)) stopped_work(event.agent, &Transition::failed);
}

void Transition::operator()(const AgentTimedOut& event) {
    auto found = s_.agents.find(event.agent);
    if (found == s_.agents.end() || found->second.phase == AgentPhase::idle) return;
    if (found->second.phase == AgentPhase::busy) ++s_.statistics.kicked;
    is_through(event.agent, RefuseReason::timeout);
}

void Transition::operator()(const ResponseRejected& event) {
    auto found = s_.agents.find(event.agent);
    if (found == s_.agents.end() || found->second.phase == AgentPhase::idle) return;
    std::optional<SubmissionId> submission = found->second.submission;
    remove_agent(event.agent);
    if (submission) refuse(*submission, RefuseReason::rejected);
    actions_.emplace_back(Forget{event.agent});
}

void Transition::operator()(const AgentResponded& event) {
    auto found = s_.agents.find(event.agent);
    if (found == s_.agents.end() || found->second.phase == AgentPhase::idle) {
        actions_.emplace_back(DiscardResponse{event.agent});
        return;
    }
    s_.pause = Duration::zero();
    if (found->second.submission) {
        s_.submissions.erase(*found->second.submission);
        ++s_.statistics.processed;
        s_.statistics.working.add(span(found->second.assigned, now_));
        actions_.emplace_back(Deliver{event.agent, std::move(*found->second.submission)});
    }
    remove_agent(event.agent);
    actions_.emplace_back(Forget{event.agent});
}

void Transition::operator()(const Recovered& event) {
    if (s_.closing) return;
    auto [position, is_new] = s_.agents.try_emplace(event.agent);
    if (!is_new) return;
    Agent& agent = position->second;
    agent.phase = AgentPhase::busy;
    agent.ends_when_told = event.ends_when_told;
    agent.since = agent.assigned = now_ - event.worked;
    set_deadline(event.agent, agent, event.deadline);
    if (event.is_nobodys && event.ends_when_told) return recall(event.agent, KickReason::withdrawn);
    if (!event.submission) return;
    auto [submission, is_first] = s_.submissions.try_emplace(*event.submission);
    if (!is_first) return;  // somebody has it already, or it waits
    ++s_.statistics.recovered;
    submission->second.timeout = event.timeout;
    submission->second.wants_failures = event.wants_failures;
    submission->second.turn = s_.next_back_turn++;
    submission->second.agent = event.agent;
    submission->second.since = agent.since;
    agent.submission = event.submission;
}

void Transition::operator()(const AssignmentFailed& event) {
    auto found = s_.agents.find(event.agent);
    if (found == s_.agents.end() || found->second.phase == AgentPhase::idle) return;
    if (found->second.submission) {
        unassign(found->second);
        requeue(*found->second.submission);
    }
    // Last among those who wait: should the trouble be with this agent's file, another gets the task.
    make_idle(event.agent, found->second, s_.next_agent_turn++);
    pause();
}

void Transition::operator()(const Submitted& event) {
    auto [position, is_new] = s_.submissions.try_emplace(event.submission);
    if (!is_new) {
        position->second.wants_failures |= event.wants_failures;
        return;
    }
    ++s_.statistics.submitted;
    if (s_.closing) return refuse(event.submission, RefuseReason::stopped);
    position->second.since = now_;
    position->second.timeout = event.timeout;
    position->second.wants_failures = event.wants_failures;
    position->second.turn = s_.next_back_turn++;
    if (!waits_for_ending_agent(event.submission)) s_.queue.emplace(position->second.turn, event.submission);
}

// It was withdrawn a moment ago, and somebody is still at work on it.
bool Transition::waits_for_ending_agent(const SubmissionId& id) {
    auto ending = s_.ending.find(id);
    if (ending == s_.ending.end()) return false;
    s_.agents.at(ending->second).submission = id;
    s_.submissions.at(id).agent = ending->second;
    return true;
}

void Transition::operator()(const Withdrawn& event) {
    auto found = s_.submissions.find(event.submission);
    if (found == s_.submissions.end()) return;
    ++s_.statistics.withdrawn;
    std::optional<AgentId> agent = found->second.agent;
    if (!agent) s_.queue.erase(found->second.turn);
    s_.submissions.erase(found);
    if (!agent) return;
    Agent& worker = s_.agents.at(*agent);
    worker.submission.reset();  // its response will be nobody's
    if (!worker.ends_when_told || worker.withdrawn) return;
    worker.withdrawn = event.submission;
    s_.ending.emplace(event.submission, *agent);
    if (worker.phase == AgentPhase::busy) recall(*agent, KickReason::withdrawn);
}

void Transition::deadline_passed(const AgentId& id) {
    Agent& agent = s_.agents.at(id);
    if (agent.phase == AgentPhase::idle) {
        s_.idle.erase(agent.turn);
        agent.phase = AgentPhase::heartbeat;
        agent.since = now_;
        set_deadline(id, agent, after(s_.config.idle_timeout));
        actions_.emplace_back(SendHeartbeat{id});
        return;
    }
    if (agent.phase == AgentPhase::busy && agent.ends_when_told) return recall(id, KickReason::timeout);
    give_up_work(agent, RefuseReason::timeout);
    kick(id, KickReason::timeout);
}

void Transition::operator()(const TimePassed&) {
    while (!s_.deadlines.empty() && s_.deadlines.begin()->first <= now_) {
        AgentId id = s_.deadlines.begin()->second;
        deadline_passed(id);
    }
    if (!paused()) s_.paused_until.reset();
}

void Transition::operator()(const Draining&) {
    s_.closing = true;
    for (const auto& [turn, id] : std::exchange(s_.queue, {}))
        refuse(id, RefuseReason::stopped);
}

void Transition::operator()(const Stopping&) {
    bool is_second = s_.stopped;
    (*this)(Draining{});
    s_.stopped = true;
    s_.paused_until.reset();
    for (auto& [id, agent] : s_.agents)
        agent.submission.reset();
    while (!s_.submissions.empty())
        refuse(SubmissionId(s_.submissions.begin()->first), RefuseReason::stopped);
    std::vector<AgentId> ids;
    for (const auto& [id, agent] : s_.agents)
        ids.push_back(id);
    for (const AgentId& id : ids) {
        const Agent& agent = s_.agents.at(id);
        bool is_at_work = agent.phase == AgentPhase::busy || agent.phase == AgentPhase::ending;
        if (!is_at_work || !agent.ends_when_told || is_second)
            kick(id, KickReason::stopped);
        else if (agent.phase == AgentPhase::busy)
            recall(id, KickReason::stopped);
    }
}

}  // namespace

std::vector<Action> apply(State& state, const Event& event, Time now) {
    Transition transition(state, now);
    std::visit(transition, event);
    transition.match();
    return transition.take_actions();
}

Load load(const State& state) {
    Load counted;
    for (const auto& [id, agent] : state.agents) {
        if (agent.phase == AgentPhase::idle) ++counted.idle;
        if (agent.phase == AgentPhase::busy) ++counted.busy;
        if (agent.phase == AgentPhase::heartbeat) ++counted.heartbeat;
        if (agent.phase == AgentPhase::ending) ++counted.ending;
    }
    return counted;
}

bool is_drained(const State& state) {
    return state.closing && state.submissions.empty();
}

std::optional<Time> next_deadline(const State& state) {
    std::optional<Time> next = state.paused_until;
    if (!state.deadlines.empty()) {
        Time first = state.deadlines.begin()->first;
        next = next ? std::min(*next, first) : first;
    }
    return next;
}

}  // namespace pool
