#include "pool/machine_impl.hpp"

#include <algorithm>

namespace pool {

namespace {

constexpr Duration first_pause = std::chrono::milliseconds(100);
constexpr Duration longest_pause = std::chrono::seconds(5);

}  // namespace

void Transition::make_idle(const AgentId& id, Agent& agent, std::uint64_t turn) {
    agent.state = AgentState::idle;
    agent.submission.reset();
    if (agent.withdrawn) s_.ending.erase(*std::exchange(agent.withdrawn, std::nullopt));
    agent.turn = turn;
    agent.since = now_;
    s_.line.add_idle(agent.labels, turn, id);
    set_deadline(id, agent, after(s_.config.idle_timeout));
}

void Transition::remove_agent(const AgentId& id) {
    Agent& agent = s_.agents.at(id);
    set_deadline(id, agent, std::nullopt);
    if (agent.state == AgentState::idle) s_.line.remove_idle(agent.labels, agent.turn);
    s_.line.detach(agent.labels);
    if (agent.withdrawn) s_.ending.erase(*agent.withdrawn);
    s_.agents.erase(id);
}

void Transition::kick(const AgentId& id, KickReason reason) {
    actions_.emplace_back(Kick{id, reason});
    bool was_counted = s_.agents.at(id).state == AgentState::ending;
    if (reason == KickReason::timeout && !was_counted) ++s_.statistics.kicked;
    remove_agent(id);
}

void Transition::recall(const AgentId& id, KickReason reason) {
    Agent& agent = s_.agents.at(id);
    agent.state = AgentState::ending;
    agent.since = now_;
    set_deadline(id, agent, now_ + ending_time);
    actions_.emplace_back(Recall{id, reason});
    if (reason == KickReason::timeout) ++s_.statistics.kicked;
}

// An agent that was told to end its work has done so. A submission that was withdrawn and submitted again is
// queued; any other is refused.
void Transition::give_up_work(Agent& agent, RefuseReason reason) {
    std::optional<SubmissionId> submission = std::exchange(agent.submission, std::nullopt);
    if (!submission) return;
    if (agent.withdrawn == submission)
        requeue(*submission);
    else
        refuse(*submission, reason);
}

void Transition::finish_agent(const AgentId& id, RefuseReason reason) {
    give_up_work(s_.agents.at(id), reason);
    remove_agent(id);
    actions_.emplace_back(Forget{id});
}

// The agent has left without a response. `next` handles its submission.
void Transition::end_work(const AgentId& id, void (Transition::*next)(const SubmissionId&)) {
    Agent& agent = s_.agents.at(id);
    if (agent.state == AgentState::ending) return finish_agent(id, RefuseReason::timeout);
    std::optional<SubmissionId> submission = agent.submission;
    remove_agent(id);
    if (submission) (this->*next)(*submission);
    actions_.emplace_back(Forget{id});
}

void Transition::died(const SubmissionId& id) {
    if (++s_.submissions.at(id).deaths >= max_deaths) return refuse(id, RefuseReason::lost);
    s_.submissions.at(id).since = now_;
    requeue_at_front(id);
}

void Transition::failed(const SubmissionId& id) {
    Submission& submission = s_.submissions.at(id);
    if (submission.wants_failures) return refuse(id, RefuseReason::failed);
    if (++submission.failures >= max_failures && submission.timeout) return refuse(id, RefuseReason::timeout);
    handed_back(id);
}

// A task that is handed back again does not keep agents from those behind it.
void Transition::handed_back(const SubmissionId& id) {
    ++s_.statistics.handed_back;
    Submission& submission = s_.submissions.at(id);
    submission.since = now_;
    if (submission.hand_backs.count < 2) return requeue_at_front(id);
    submission.place.turn = s_.next_back_turn++;
    requeue(id);
}

bool Transition::is_at_fault(const Agent& agent, const std::string& reason) {
    const bool is_counted = agent.submission && !agent.account.empty() && !reason.empty();
    if (!is_counted) return false;
    HandBacks& so_far = s_.submissions.at(*agent.submission).hand_backs;
    return s_.successes.is_at_fault(so_far, agent.account, reason, now_);
}

// The submission was not given to the agent after all, so its waiting time continues.
void Transition::unassign(const Agent& agent) {
    s_.statistics.waiting.remove(span(s_.submissions.at(*agent.submission).since, agent.assigned));
}

// Several failures at the same time have one cause, and count once.
void Transition::pause() {
    if (paused()) return;
    s_.pause = std::clamp(2 * s_.pause, first_pause, longest_pause);
    s_.paused_until = now_ + s_.pause;
}

void Transition::operator()(const AgentReady& event) {
    auto [position, is_new] = s_.agents.try_emplace(event.agent);
    if (!is_new) return;
    position->second.ends_when_told = event.ends_when_told;
    position->second.labels = event.labels;
    position->second.account = event.account;
    s_.line.attach(event.labels);
    make_idle(event.agent, position->second, s_.next_agent_turn++);
    if (s_.stopped) kick(event.agent, KickReason::stopped);
}

void Transition::operator()(const AgentLeft& event) {
    auto found = s_.agents.find(event.agent);
    if (found == s_.agents.end()) return;
    const Agent& agent = found->second;
    if (!event.unserved)
        return end_work(event.agent,
                        is_at_fault(agent, event.reason) ? &Transition::failed : &Transition::handed_back);
    if (agent.state == AgentState::busy && agent.submission) unassign(agent);
    end_work(event.agent, &Transition::requeue);
}

void Transition::operator()(const AgentDied& event) {
    auto found = s_.agents.find(event.agent);
    if (found == s_.agents.end()) return;
    if (found->second.state != AgentState::idle) ++s_.statistics.died;
    end_work(event.agent, &Transition::died);
}

void Transition::operator()(const AgentFailed& event) {
    if (s_.agents.contains(event.agent)) end_work(event.agent, &Transition::failed);
}

void Transition::operator()(const AgentTimedOut& event) {
    auto found = s_.agents.find(event.agent);
    if (found == s_.agents.end() || found->second.state == AgentState::idle) return;
    if (found->second.state == AgentState::busy) ++s_.statistics.kicked;
    finish_agent(event.agent, RefuseReason::timeout);
}

void Transition::operator()(const ResponseRejected& event) {
    auto found = s_.agents.find(event.agent);
    if (found == s_.agents.end() || found->second.state == AgentState::idle) return;
    std::optional<SubmissionId> submission = found->second.submission;
    remove_agent(event.agent);
    if (submission) refuse(*submission, RefuseReason::rejected);
    actions_.emplace_back(Forget{event.agent});
}

void Transition::operator()(const AgentResponded& event) {
    auto found = s_.agents.find(event.agent);
    if (found == s_.agents.end() || found->second.state == AgentState::idle) {
        actions_.emplace_back(DiscardResponse{event.agent});
        return;
    }
    s_.pause = Duration::zero();
    if (found->second.submission) {
        s_.submissions.erase(*found->second.submission);
        ++s_.statistics.processed;
        s_.successes.done(found->second.account, found->second.assigned);
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
    agent.state = AgentState::busy;
    agent.labels = event.agent_labels;
    s_.line.attach(agent.labels);
    agent.ends_when_told = event.ends_when_told;
    agent.since = agent.assigned = now_ - event.worked;
    set_deadline(event.agent, agent, event.deadline);
    if (event.is_withdrawn && event.ends_when_told) return recall(event.agent, KickReason::withdrawn);
    if (!event.submission) return;
    auto [submission, is_first] = s_.submissions.try_emplace(*event.submission);
    if (!is_first) return;  // another agent has it already, or it is queued
    ++s_.statistics.recovered;
    submission->second.timeout = event.timeout;
    submission->second.wants_failures = event.wants_failures;
    submission->second.labels = event.labels;
    submission->second.place = {event.priority, s_.next_back_turn++};
    submission->second.agent = event.agent;
    submission->second.since = agent.since;
    agent.submission = event.submission;
}

// The effect is as if the task had been withdrawn and submitted again at once.
void Transition::operator()(const KickRequested& event) {
    auto found = s_.agents.find(event.agent);
    if (found == s_.agents.end() || found->second.state == AgentState::ending) return;
    Agent& agent = found->second;
    if (!agent.submission) return kick(event.agent, KickReason::timeout);
    const SubmissionId id = *agent.submission;
    s_.submissions.at(id).since = now_;
    if (!agent.ends_when_told) {
        agent.submission.reset();
        requeue(id);
        return kick(event.agent, KickReason::timeout);
    }
    agent.withdrawn = id;
    s_.ending.emplace(id, event.agent);
    recall(event.agent, KickReason::withdrawn);
    ++s_.statistics.kicked;
}

void Transition::operator()(const AssignmentFailed& event) {
    auto found = s_.agents.find(event.agent);
    if (found == s_.agents.end() || found->second.state == AgentState::idle) return;
    if (found->second.submission) {
        unassign(found->second);
        requeue(*found->second.submission);
    }
    // The agent becomes the last of the idle ones: if its file is the cause, another agent gets the task.
    make_idle(event.agent, found->second, s_.next_agent_turn++);
    pause();
}

}  // namespace pool
