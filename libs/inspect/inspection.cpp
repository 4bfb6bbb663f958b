#include "inspect/inspection.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace inspect {

namespace {

using std::chrono::milliseconds;
using workflow::TaskId;
using State = InspectedTask::State;

// The state of a task that has ended and is not in the replay's state.
State state_after(InspectedAttempt::Outcome outcome) {
    return outcome == InspectedAttempt::Outcome::failed ? State::dropped : State::done;
}

void count(StepSummary& row, const InspectedTask& task) {
    switch (task.state) {
        case State::pending:
            ++row.pending;
            break;
        case State::waiting:
            ++row.waiting;
            break;
        case State::done:
            ++row.done;
            break;
        case State::dropped:
            ++row.dropped;
            break;
    }
    row.retried += task.attempts - 1;
}

void count(StepSummary& row, milliseconds duration) {
    ++row.timed;
    row.total += std::min(duration, milliseconds::max() - row.total);
    row.longest = std::max(row.longest, duration);
}

}  // namespace

std::optional<milliseconds> span(std::optional<statelog::Time> from, std::optional<statelog::Time> to) {
    if (!from || !to || *to < *from) return std::nullopt;
    auto start = from->time_since_epoch();
    auto end = to->time_since_epoch();
    // The times in a log may be arbitrary; avoids an overflow.
    if (start < milliseconds(0) && end > milliseconds::max() + start) return std::nullopt;
    return end - start;
}

void Inspection::add(const statelog::Replay& replay, const statelog::Record& record) {
    if (record.time) {
        if (!first_time_) first_time_ = record.time;
        last_time_ = record.time;
    }
    std::uint64_t offset = replay.record_offset();
    if (const auto* completed = std::get_if<workflow::TaskCompleted>(&record.entry))
        return complete(*completed, record, offset);
    InspectedAttempt attempt;
    attempt.submitted_at = offset;
    attempt.submitted = record.time;
    submit(std::get<workflow::TaskSubmitted>(record.entry), attempt);
}

void Inspection::submit(const workflow::TaskSubmitted& entry, InspectedAttempt attempt) {
    auto index = static_cast<std::uint32_t>(attempts_.size());
    attempt.id = entry.task;
    if (const auto* retry = std::get_if<workflow::Retry>(&entry.origin)) {
        InspectedAttempt& before = attempts_[by_id_.at(retry->replaces)];
        before.next = index;
        attempt.task = before.task;
        ++tasks_[attempt.task].attempts;
    } else {
        attempt.task = static_cast<std::uint32_t>(tasks_.size());
        InspectedTask& task = tasks_.emplace_back();
        task.step = entry.step;
        task.parent = entry.parent;
        task.first = index;
        if (std::holds_alternative<workflow::Spawned>(entry.origin))
            task.origin = InspectedTask::Origin::spawned;
        if (const auto* finally = std::get_if<workflow::Finally>(&entry.origin)) {
            task.origin = InspectedTask::Origin::finally;
            task.finally_for = attempts_[by_id_.at(finally->finally_for)].task;
            tasks_[*task.finally_for].finally = attempt.task;
        }
    }
    tasks_[attempt.task].last = index;
    by_id_.emplace(entry.task, index);
    attempts_.push_back(attempt);
}

void Inspection::complete(const workflow::TaskCompleted& entry, const statelog::Record& record,
                          std::uint64_t offset) {
    InspectedAttempt& attempt = attempts_[by_id_.at(entry.task)];
    attempt.completed_at = offset;
    attempt.started = record.started;
    attempt.ended = record.time;
    attempt.is_reused = entry.reused != nullptr;
    attempt.is_answered = entry.answered != nullptr;
    attempt.has_report = entry.report != nullptr;
    attempt.has_measured = entry.measured != nullptr;
    attempt.has_agent = entry.agent != nullptr;
    attempt.is_lenient = entry.is_lenient;
    const auto* failed = std::get_if<workflow::Failed>(&entry.outcome);
    attempt.outcome = failed ? InspectedAttempt::Outcome::failed : InspectedAttempt::Outcome::succeeded;
    attempt.is_past_bound = failed && failed->failure().kind == workflow::Failure::Kind::past_bound;
}

void Inspection::conclude(const statelog::Replay& replay) {
    for (InspectedTask& task : tasks_) {
        const InspectedAttempt& last = attempts_[task.last];
        task.state =
            last.outcome == InspectedAttempt::Outcome::none ? State::pending : state_after(last.outcome);
    }
    for (const auto& [id, live] : replay.state().tasks) {
        auto index = find(id);
        if (!index) continue;
        if (live.status == workflow::Task::Status::finally_due) tasks_[*index].finally_due = true;
        if (live.status != workflow::Task::Status::waiting) continue;
        tasks_[*index].state = State::waiting;
        tasks_[*index].waits_for = live.live;
    }
}

std::optional<std::uint32_t> Inspection::find(TaskId id) const {
    auto found = by_id_.find(id);
    if (found == by_id_.end()) return std::nullopt;
    return attempts_[found->second].task;
}

std::vector<StepSummary> Inspection::summarise(const config::WorkflowConfig& config) const {
    std::vector<StepSummary> tasks(config.steps.size());
    std::vector<StepSummary> finallys(config.steps.size());
    auto row_of = [&](const InspectedTask& task) -> StepSummary& {
        return (task.finally_for ? finallys : tasks)[task.step.value];
    };
    for (const InspectedTask& task : tasks_) {
        count(row_of(task), task);
        if (task.finally_due) ++finallys[task.step.value].pending;
    }
    for (const InspectedAttempt& attempt : attempts_)
        if (auto duration = attempt.duration()) count(row_of(tasks_[attempt.task]), *duration);
    std::vector<StepSummary> rows;
    for (std::uint32_t i = 0; i < config.steps.size(); ++i) {
        tasks[i].step = finallys[i].step = {i};
        finallys[i].is_finally = true;
        rows.push_back(tasks[i]);
        if (config.steps[i].has_finally()) rows.push_back(finallys[i]);
    }
    return rows;
}

}  // namespace inspect
