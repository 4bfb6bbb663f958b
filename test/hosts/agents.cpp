#include "agents.hpp"

#include <algorithm>

namespace hosts {

namespace {

using Ended = Execution::State;

}  // namespace

std::vector<edge::agent_side::IdleAgents> Agents::idle() const {
    std::map<base::Labels, std::size_t> counts;
    for (const Agent& agent : agents_)
        if (agent.state == State::idle) ++counts[agent.labels];
    std::vector<edge::agent_side::IdleAgents> groups;
    for (const auto& [labels, count] : counts)
        groups.push_back({labels, count});
    return groups;
}

std::size_t Agents::count_idle(const base::Labels& labels) const {
    return static_cast<std::size_t>(std::ranges::count_if(agents_, [&](const Agent& agent) {
        return agent.state == State::idle && agent.labels.contain(labels);
    }));
}

bool Agents::has(const TaskId& task) const {
    return std::ranges::any_of(agents_, [&](const Agent& agent) {
        return (agent.state == State::busy || agent.state == State::ending) && agent.job.task == task;
    });
}

void Agents::enter(Agent& agent, State state) {
    agent.state = state;
    ++agent.turn;
}

void Agents::after(Agent& agent, Duration delay, std::function<void(Agent&)> what) {
    auto number = static_cast<std::size_t>(&agent - agents_.data());
    agenda_.in(delay, [this, number, turn = agent.turn, what = std::move(what)] {
        if (agents_[number].turn == turn) what(agents_[number]);
    });
}

bool Agents::assign(Job job) {
    auto fits = [&](const Agent& agent) {
        return agent.state == State::idle && agent.labels.contain(job.queue.labels);
    };
    auto agent = std::ranges::find_if(agents_, fits);
    if (agent == agents_.end()) return false;
    agent->job = std::move(job);
    work(*agent);
    reports.idle_changed();
    return true;
}

void Agents::work(Agent& agent) {
    enter(agent, State::busy);
    agent.execution = oracle_.begun(agent.job.task, agent.job.claim, agent.job.queue);
    Duration span = std::chrono::milliseconds(random_.below(random_.one_in(4) ? 90000 : 4000));
    if (agent.job.timeout && span > *agent.job.timeout)
        return after(agent, *agent.job.timeout, [this](Agent& late) { answer(late, Outcome::timeout); });
    after(agent, span, [this, how = random_.below(20)](Agent& done) { finish(done, how); });
}

void Agents::finish(Agent& agent, std::uint32_t how) {
    if (how > 2) return answer(agent, Outcome::processed);
    if (how == 2) return answer(agent, Outcome::failed);
    if (how == 1) ++agent.job.setbacks.deaths;
    oracle_.ended(agent.job.task, agent.execution, Ended::ended);
    leave(agent, std::chrono::milliseconds(random_.below(5000)));
    reports.handed_back(agent.job);
}

void Agents::leave(Agent& agent, Duration pause) {
    enter(agent, State::absent);
    after(agent, pause, [this](Agent& rested) {
        if (stops_) return;
        enter(rested, State::idle);
        reports.idle_changed();
    });
}

void Agents::answer(Agent& agent, Outcome outcome) {
    oracle_.ended(agent.job.task, agent.execution, Ended::completed, outcome == Outcome::processed);
    leave(agent, std::chrono::milliseconds(random_.below(500)));
    reports.answered(agent.job.task, outcome);
}

void Agents::recall(const TaskId& task) {
    for (Agent& agent : agents_) {
        if (agent.state != State::busy || agent.job.task != task) continue;
        enter(agent, State::ending);
        after(agent, std::chrono::milliseconds(random_.below(8000)), [this](Agent& ended) {
            oracle_.ended(ended.job.task, ended.execution, Ended::ended);
            leave(ended, 100ms);
            reports.ended(ended.job.task);
        });
    }
}

void Agents::stop() {
    stops_ = true;
    for (Agent& agent : agents_) {
        if (agent.state == State::idle) enter(agent, State::absent);
        if (agent.state != State::busy) continue;
        enter(agent, State::ending);
        after(agent, std::chrono::milliseconds(random_.below(8000)), [this](Agent& ended) {
            oracle_.ended(ended.job.task, ended.execution, Ended::ended);
            leave(ended, 100ms);
            reports.answered(ended.job.task, Outcome::stopped);
        });
    }
    reports.idle_changed();
}

void Agents::die(bool forgets) {
    if (forgets) fallen_.clear();
    for (Agent& agent : agents_) {
        if (agent.state == State::busy || agent.state == State::ending) {
            oracle_.ended(agent.job.task, agent.execution, Ended::unknown);
            if (!forgets) fallen_.emplace_back(agent.job.task, agent.execution);
        }
        enter(agent, State::absent);
    }
}

void Agents::come_back() {
    stops_ = false;
    for (const auto& [task, execution] : fallen_)
        oracle_.ended(task, execution, Ended::ended);
    fallen_.clear();
    for (Agent& agent : agents_)
        if (agent.state == State::absent) leave(agent, std::chrono::milliseconds(random_.below(3000)));
}

}  // namespace hosts
