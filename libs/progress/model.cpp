#include "progress/model.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace progress {

namespace {

std::vector<RunningTask> first_of(const std::list<RunningTask>& tasks, std::size_t most) {
    auto end = std::next(tasks.begin(), static_cast<std::ptrdiff_t>(std::min(most, tasks.size())));
    return {tasks.begin(), end};
}

}  // namespace

std::string_view name_of(TaskPhase phase) {
    switch (phase) {
        case TaskPhase::started:
            break;
        case TaskPhase::pre:
            return "pre";
        case TaskPhase::command:
            return "command";
        case TaskPhase::pool:
            return "pool";
        case TaskPhase::post:
            return "post";
        case TaskPhase::finally:
            return "finally";
        case TaskPhase::human:
            return "human";
    }
    return "started";
}

Model::Model(std::vector<Step> steps, std::vector<Counts> counts, Time now)
    : steps_(std::move(steps)), counts_(std::move(counts)), rates_(steps_.size()), begun_(now) {
    counts_.resize(steps_.size());
    for (const Counts& step : counts_) {
        total_.waiting += step.waiting;
        total_.running += step.running;
        total_.done += step.done;
        total_.retried += step.retried;
        total_.dropped += step.dropped;
    }
    total_rate_.begin(now);
}

void Model::submitted(std::size_t step) {
    ++counts_[step].waiting;
    ++total_.waiting;
}

void Model::started(std::uint64_t id, std::size_t step, std::uint32_t attempt, Time now) {
    for (Counts* counts : {&counts_[step], &total_}) {
        --counts->waiting;
        ++counts->running;
    }
    rates_[step].begin(now);
    by_id_[id] = running_.insert(running_.end(), {id, step, attempt, TaskPhase::started, now, {}});
}

void Model::entered(std::uint64_t id, TaskPhase phase) {
    auto found = by_id_.find(id);
    if (found == by_id_.end()) return;
    RunningTask& task = *found->second;
    for (Counts* counts : {&counts_[task.step], &total_}) {
        if (task.phase == TaskPhase::pool) --counts->at_pool;
        if (phase == TaskPhase::pool) ++counts->at_pool;
        if (phase == TaskPhase::human) ++counts->asked;
    }
    if (phase == TaskPhase::human) asked_.splice(asked_.end(), running_, found->second);
    task.phase = phase;
    task.activity.clear();
}

void Model::activity(std::uint64_t id, std::string text) {
    if (auto found = by_id_.find(id); found != by_id_.end()) found->second->activity = std::move(text);
}

RunningTask Model::take(std::uint64_t id) {
    auto found = by_id_.find(id);
    RunningTask task = *found->second;
    (task.phase == TaskPhase::human ? asked_ : running_).erase(found->second);
    by_id_.erase(found);
    for (Counts* counts : {&counts_[task.step], &total_}) {
        --counts->running;
        if (task.phase == TaskPhase::pool) --counts->at_pool;
        if (task.phase == TaskPhase::human) --counts->asked;
    }
    return task;
}

void Model::over(const RunningTask& task, Time now) {
    rates_[task.step].add(now);
    total_rate_.add(now);
}

void Model::done(std::uint64_t id, Time now) {
    RunningTask task = take(id);
    ++counts_[task.step].done;
    ++total_.done;
    over(task, now);
}

void Model::put_back(std::uint64_t id) {
    RunningTask task = take(id);
    for (Counts* counts : {&counts_[task.step], &total_})
        ++counts->waiting;
}

void Model::retried(std::uint64_t id) {
    RunningTask task = take(id);
    for (Counts* counts : {&counts_[task.step], &total_}) {
        ++counts->retried;
        ++counts->waiting;
    }
}

// To take over a result is no work, so it does not count in the rates.
void Model::reused(std::size_t step) {
    for (Counts* counts : {&counts_[step], &total_}) {
        --counts->waiting;
        ++counts->done;
    }
}

void Model::not_started(std::uint64_t id, std::size_t step) {
    if (by_id_.contains(id)) put_back(id);
    for (Counts* counts : {&counts_[step], &total_}) {
        --counts->waiting;
        ++counts->dropped;
    }
}

void Model::dropped(std::uint64_t id, Time now) {
    RunningTask task = take(id);
    ++counts_[task.step].dropped;
    ++total_.dropped;
    over(task, now);
}

void Model::ended(Time now) {
    while (!running_.empty()) {
        RunningTask task = take(running_.front().id);
        ++counts_[task.step].waiting;
        ++total_.waiting;
    }
    ended_ = now;
}

// The steps whose number of tasks may grow: those that are reachable from steps with open tasks.
std::vector<bool> Model::may_grow() const {
    std::vector<bool> grows(steps_.size());
    std::vector<std::size_t> sources;
    for (std::size_t step = 0; step < steps_.size(); ++step)
        if (counts_[step].open() > 0) sources.push_back(step);
    while (!sources.empty()) {
        std::size_t source = sources.back();
        sources.pop_back();
        for (std::size_t next : steps_[source].next) {
            if (grows[next]) continue;
            grows[next] = true;
            if (counts_[next].open() == 0) sources.push_back(next);
        }
    }
    return grows;
}

std::vector<std::optional<std::chrono::seconds>> Model::etas(Time now) const {
    std::vector<std::optional<std::chrono::seconds>> etas(steps_.size());
    std::vector<bool> grows = may_grow();
    for (std::size_t step = 0; step < steps_.size(); ++step) {
        if (grows[step] || steps_[step].is_finally || counts_[step].running == 0) continue;
        if (auto per_second = rate(step, now)) {
            double seconds = static_cast<double>(counts_[step].open()) / *per_second;
            etas[step] = std::chrono::seconds(std::llround(std::ceil(seconds)));
        }
    }
    return etas;
}

std::vector<RunningTask> Model::longest_running(std::size_t most) const {
    return first_of(running_, most);
}

std::vector<RunningTask> Model::longest_asked(std::size_t most) const {
    return first_of(asked_, most);
}

}  // namespace progress
