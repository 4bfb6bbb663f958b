#include "displays/progress.hpp"

#include "base/text.hpp"
#include "displays/spending.hpp"
#include "terminal/width.hpp"

#include <numeric>
#include <utility>
#include <variant>

namespace displays {

namespace {

// A row for each step, and after it one for its finally, which may emit any step.
std::vector<progress::Step> rows_of(const config::WorkflowConfig& config,
                                    const std::vector<std::size_t>& rows) {
    std::vector<progress::Step> steps;
    for (const config::Step& step : config.steps) {
        progress::Step row{
            terminal::printable(step.name), false, {}, step.is_pool(), step.is_human(), step.name};
        for (config::StepId next : step.next)
            row.next.push_back(rows[next.value]);
        steps.push_back(row);
        if (step.has_finally())
            steps.push_back({row.name + " (finally)", true, rows, false, false, step.name});
    }
    return steps;
}

bool is_open_finally(const workflow::Task& task) {
    return task.finally_for.has_value() || task.status == workflow::Task::Status::finally_due;
}

}  // namespace

progress::Time now() {
    return std::chrono::steady_clock::now();
}

progress::TaskPhase phase_of(workflow::Phase phase) {
    switch (phase) {
        case workflow::Phase::pre:
            return progress::TaskPhase::pre;
        case workflow::Phase::command:
            return progress::TaskPhase::command;
        case workflow::Phase::pool:
            return progress::TaskPhase::pool;
        case workflow::Phase::post:
            return progress::TaskPhase::post;
        case workflow::Phase::finally:
            return progress::TaskPhase::finally;
        case workflow::Phase::human:
            return progress::TaskPhase::human;
    }
    return progress::TaskPhase::started;
}

Progress::Progress(WatchedRun run) : run_(std::move(run)) {
    for (std::size_t next = 0; const config::Step& step : run_.config->steps) {
        rows_.push_back(next);
        next += step.has_finally() ? 2 : 1;
    }
}

void Progress::begun(const workflow::State& state) {
    std::vector<progress::Step> steps = rows_of(*run_.config, rows_);
    std::vector<progress::Counts> counts(steps.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const workflow::StepCounters& of = state.steps[i];
        counts[rows_[i]] = {of.submitted - of.done - of.dropped, 0, of.done, of.retried, of.dropped};
        if (run_.config->steps[i].has_finally())
            counts[rows_[i] + 1] = {0, 0, of.finally_done, of.finally_retried, of.finally_dropped};
    }
    for (const auto& [id, task] : state.tasks)
        if (is_open_finally(task)) ++counts[row(task.step, true)].waiting;
    model_.emplace(std::move(steps), std::move(counts), now());
    model_->paused(is_paused_);
    changed();
}

void Progress::started(const runner::Attempt& attempt) {
    model_->started(attempt.task.value, row(attempt.step, attempt.is_finally), attempt.number, now());
    changed();
}

void Progress::entered(const runner::Attempt& attempt, workflow::Phase phase) {
    model_->entered(attempt.task.value, phase_of(phase));
    changed();
}

void Progress::activity(const runner::Attempt& attempt, const pool_protocol::AgentName& agent,
                        const std::optional<pool_protocol::AgentActivity>& activity) {
    std::string doing = activity ? pool_protocol::activity_text(*activity) : "";
    if (!doing.empty()) doing = terminal::printable(base::concat(agent.text(), ": ", doing));
    model_->activity(attempt.task.value, std::move(doing));
    changed();
}

void Progress::put_back(const runner::Attempt& attempt) {
    model_->put_back(attempt.task.value);
    changed();
}

void Progress::decided(const runner::Decision& decision) {
    const auto& completed = decision.completed();
    const auto* failed = std::get_if<workflow::Failed>(&completed.outcome);
    if (completed.reused)
        model_->reused(row(decision.attempt.step, decision.attempt.is_finally));
    else if (failed == nullptr)
        model_->done(completed.task.value, now());
    else if (failed->failure().kind == workflow::Failure::Kind::past_bound)
        model_->not_started(completed.task.value, row(decision.attempt.step, false));
    else if (failed->retry)
        model_->retried(completed.task.value);
    else
        model_->dropped(completed.task.value, now());
    for (const workflow::Entry& entry : decision.group) {
        const auto* submitted = std::get_if<workflow::TaskSubmitted>(&entry);
        if (submitted == nullptr || std::holds_alternative<workflow::Retry>(submitted->origin)) continue;
        bool is_finally = std::holds_alternative<workflow::Finally>(submitted->origin);
        model_->submitted(row(submitted->step, is_finally));
    }
    changed();
}

std::optional<progress::Spending> Progress::spending() const {
    WatchedRun::Usage usage = run_.usage();
    if (!usage.table || (usage.table->empty() && usage.budget == nullptr)) return std::nullopt;
    return spending_of(*usage.table, usage.budget, rows_);
}

void Progress::paused(bool is_paused) {
    is_paused_ = is_paused;
    if (!model_) return;
    model_->paused(is_paused);
    changed();
}

void Progress::finish(const runner::Outcome& outcome) {
    if (!model_) return;
    model_->ended(now());
    conclude(outcome);
}

}  // namespace displays
