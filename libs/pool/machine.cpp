#include "pool/machine.hpp"

#include "pool/machine_impl.hpp"

#include <algorithm>

namespace pool {

std::optional<Time> Transition::after(std::optional<Duration> span) const {
    return span ? std::optional(now_ + *span) : std::nullopt;
}

void Transition::set_deadline(const AgentId& id, Agent& agent, std::optional<Time> deadline) {
    if (agent.deadline) s_.deadlines.erase({*agent.deadline, id});
    agent.deadline = deadline;
    if (agent.deadline) s_.deadlines.insert({*agent.deadline, id});
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
    else if (reason == RefuseReason::cancelled)
        ++statistics.withdrawn;
    else
        ++statistics.failed;
}

// The submission returns to its earlier position.
void Transition::requeue(const SubmissionId& id) {
    if (s_.closing) return refuse(id, RefuseReason::stopped);
    Submission& submission = s_.submissions.at(id);
    submission.agent.reset();
    enqueue(id);
}

void Transition::enqueue(const SubmissionId& id) {
    const Submission& submission = s_.submissions.at(id);
    s_.line.add_queued(submission.labels, submission.place, id);
    auto unmatched = s_.unmatched.find(submission.labels);
    if (unmatched != s_.unmatched.end() && unmatched->second.is_reported)
        actions_.emplace_back(TellUnmatched{id, s_.line.missing(submission.labels)});
}

void Transition::requeue_at_front(const SubmissionId& id) {
    s_.submissions.at(id).place.turn = s_.next_front_turn--;
    requeue(id);
}

void Transition::assign(AgentId agent_id, SubmissionId submission_id) {
    Agent& agent = s_.agents.at(agent_id);
    Submission& submission = s_.submissions.at(submission_id);
    agent.state = AgentState::busy;
    agent.submission = submission_id;
    submission.agent = agent_id;
    agent.since = agent.assigned = now_;
    s_.statistics.waiting.add(span(submission.since, now_));
    s_.statistics.assigned_after.add(span(submission.since, now_));
    std::optional<Duration> timeout = submission.timeout ? submission.timeout : s_.config.task_timeout;
    set_deadline(agent_id, agent, after(timeout));
    actions_.emplace_back(Assign{std::move(agent_id), std::move(submission_id), timeout});
}

void Transition::match() {
    while (!s_.closing && !paused()) {
        auto next = s_.line.take_match();
        if (!next) return;
        assign(std::move(next->agent), std::move(next->submission));
    }
}

// Submissions without labels are unmatched only if there is no agent at all, or none but those of the kind
// shell, which the daemon reports by itself.
void Transition::find_unmatched() {
    std::erase_if(s_.unmatched, [&](const auto& entry) { return !s_.line.is_unmatched(entry.first); });
    for (const base::Labels* labels : s_.line.unmatched())
        if (!labels->empty()) s_.unmatched.try_emplace(*labels, Unmatched{now_});
    for (auto& [labels, unmatched] : s_.unmatched) {
        if (unmatched.is_reported || now_ < unmatched.since + unmatched_time) continue;
        unmatched.is_reported = true;
        base::Labels missing = s_.line.missing(labels);
        actions_.emplace_back(ReportUnmatched{labels, missing, s_.line.count_queued_with(labels)});
        for (SubmissionId& id : s_.line.queued_with(labels))
            actions_.emplace_back(TellUnmatched{std::move(id), missing});
    }
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
    position->second.labels = event.labels;
    position->second.place = {event.priority, s_.next_back_turn++};
    position->second.deaths = event.deaths;
    position->second.failures = event.failures;
    if (!waits_for_ending_agent(event.submission)) enqueue(event.submission);
}

// The submission was withdrawn a moment ago, and an agent still works on it.
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
    if (!agent) s_.line.remove_queued(found->second.labels, found->second.place);
    s_.submissions.erase(found);
    if (!agent) return;
    Agent& worker = s_.agents.at(*agent);
    worker.submission.reset();  // its response will be discarded
    if (!worker.ends_when_told || worker.withdrawn) return;
    worker.withdrawn = event.submission;
    s_.ending.emplace(event.submission, *agent);
    if (worker.state == AgentState::busy) recall(*agent, KickReason::withdrawn);
}

void Transition::deadline_passed(const AgentId& id) {
    Agent& agent = s_.agents.at(id);
    if (agent.state == AgentState::idle) {
        s_.line.remove_idle(agent.labels, agent.turn);
        agent.state = AgentState::heartbeat;
        agent.since = now_;
        set_deadline(id, agent, after(s_.config.idle_timeout));
        actions_.emplace_back(SendHeartbeat{id});
        return;
    }
    if (agent.state == AgentState::busy && agent.ends_when_told) return recall(id, KickReason::timeout);
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
    for (const WaitingLine::Queued& queued : s_.line.take_queue())
        refuse(queued.submission, RefuseReason::stopped);
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
        bool is_at_work = agent.state == AgentState::busy || agent.state == AgentState::ending;
        if (!is_at_work || !agent.ends_when_told || is_second)
            kick(id, KickReason::stopped);
        else if (agent.state == AgentState::busy)
            recall(id, KickReason::stopped);
    }
}

std::vector<Action> apply(State& state, const Event& event, Time now) {
    Transition transition(state, now);
    std::visit(transition, event);
    transition.match();
    transition.find_unmatched();
    return transition.take_actions();
}

Load load(const State& state) {
    Load counted;
    for (const auto& [id, agent] : state.agents) {
        if (agent.state == AgentState::idle) ++counted.idle;
        if (agent.state == AgentState::busy) ++counted.busy;
        if (agent.state == AgentState::heartbeat) ++counted.heartbeat;
        if (agent.state == AgentState::ending) ++counted.ending;
    }
    return counted;
}

bool is_drained(const State& state) {
    return state.closing && state.submissions.empty();
}

std::optional<Time> next_deadline(const State& state) {
    std::optional<Time> next = state.paused_until;
    auto add = [&](Time time) { next = next ? std::min(*next, time) : time; };
    if (!state.deadlines.empty()) add(state.deadlines.begin()->first);
    for (const auto& [labels, unmatched] : state.unmatched)
        if (!unmatched.is_reported) add(unmatched.since + unmatched_time);
    return next;
}

}  // namespace pool
