#include "serve/run_counter.hpp"

#include <utility>
#include <variant>

namespace serve {

namespace {

using workflow::TaskCompleted;
using workflow::TaskSubmitted;

std::string finally_name(const std::string& step) {
    return step + " (finally)";
}

AttemptOutcome outcome_of(const TaskCompleted& entry) {
    if (entry.reused) return AttemptOutcome::reused;
    const auto* failed = std::get_if<workflow::Failed>(&entry.outcome);
    if (failed == nullptr) return AttemptOutcome::succeeded;
    if (failed->failure().kind == workflow::Failure::Kind::past_bound) return AttemptOutcome::not_started;
    return failed->retry ? AttemptOutcome::retried : AttemptOutcome::dropped;
}

}  // namespace

RunCounter::RunCounter(std::string name, statelog::Time since) : reader_(std::move(name)), since_(since) {}

base::Result<void> RunCounter::feed(std::string_view bytes, RunTotals& totals) {
    auto fed = reader_.feed(bytes, [&](const statelog::Record& record) -> base::Result<void> {
        take(record, totals);
        return {};
    });
    if (!has_begun_ && reader_.config()) begin(totals);
    if (reader_.announced() == 0) count(totals);
    return fed;
}

void RunCounter::begin(RunTotals& totals) {
    has_begun_ = true;
    for (const auto& step : reader_.config()->steps) {
        totals.begin(step.name);
        if (step.has_finally()) totals.begin(finally_name(step.name));
    }
}

void RunCounter::take(const statelog::Record& record, RunTotals& totals) {
    if (reader_.announced() == 0) count(totals);
    if (const auto* completed = std::get_if<TaskCompleted>(&record.entry))
        return note_end(*completed, record);
    const auto& submitted = std::get<TaskSubmitted>(record.entry);
    bool is_retry = std::holds_alternative<workflow::Retry>(submitted.origin);
    bool is_finally =
        std::holds_alternative<workflow::Finally>(submitted.origin) || (is_retry && was_finally_);
    open_[submitted.task.value] = {submitted.step.value, is_finally};
}

void RunCounter::note_end(const TaskCompleted& entry, const statelog::Record& record) {
    auto task = open_.find(entry.task.value);
    if (task == open_.end()) return;
    was_finally_ = task->second.is_finally;
    if (record.time && *record.time >= since_) {
        const std::string& step = reader_.config()->steps[task->second.step].name;
        end_ = End{was_finally_ ? finally_name(step) : step, outcome_of(entry), entry.report};
    }
    open_.erase(task);
}

void RunCounter::count(RunTotals& totals) {
    if (!end_) return;
    totals.add(end_->step, end_->outcome);
    if (end_->report && end_->outcome != AttemptOutcome::reused) totals.add(*end_->report);
    end_.reset();
}

}  // namespace serve
