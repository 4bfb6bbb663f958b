#include "runner/ledger.hpp"

#include "statelog/usage_note.hpp"
#include "workflow/backoff.hpp"
#include "workflow/bounds.hpp"

#include <algorithm>
#include <utility>

namespace runner {

namespace asio = boost::asio;

namespace {

using Status = workflow::Task::Status;

// complete_without_attempt() goes on after a commit.
constexpr std::size_t most_bytes_at_once = std::size_t{1} << 20;

// The tasks that are ready, or wait for their delay or for a person.
std::deque<workflow::TaskId> open_tasks(const workflow::State& state) {
    std::deque<workflow::TaskId> tasks;
    for (const auto& [id, task] : state.tasks)
        if (task.status == Status::ready || task.status == Status::delayed || task.status == Status::asked)
            tasks.push_back(id);
    std::ranges::sort(tasks, {}, [&](workflow::TaskId id) { return state.tasks.at(id).turn; });
    return tasks;
}

}  // namespace

Ledger::Ledger(const config::WorkflowConfig& config, workflow::State& state, statelog::Journal* journal,
               TakeResult take_result, ResultFiles* results, const config::Bounds& bounds)
    : config_(config),
      state_(state),
      journal_(journal),
      take_result_(std::move(take_result)),
      bounds_(bounds),
      results_(results),
      log_end_(results ? results->log_bytes() : 0),
      steps_(state.steps),
      unfinished_(state.tasks.size()) {
    if (may_need_no_attempt()) unseen_ = open_tasks(state);
    if (results_) results_->begin(state);
}

void Ledger::enter(Attempt attempt, workflow::AttemptEnd end) {
    if (state_.asked.contains(attempt.task)) std::erase(unseen_, attempt.task);  // it has expired
    auto group = workflow::decide(config_, state_, attempt.task, std::move(end.result), std::move(end.report),
                                  end.is_lenient);
    auto& completed = std::get<workflow::TaskCompleted>(group.front());
    completed.measured = std::move(end.measured);
    completed.agent = std::move(end.agent);
    apply(group, std::chrono::floor<std::chrono::milliseconds>(attempt.started));
    auto retry_after = delay_retry(group);
    batch_.decisions.push_back({std::move(attempt), std::move(group), retry_after});
}

void Ledger::enter_answer(Attempt attempt, workflow::AttemptResult result, workflow::AnsweredBy by) {
    std::erase(unseen_, attempt.task);
    auto group = workflow::decide_answered(config_, state_, attempt.task, std::move(result), std::move(by));
    apply(group, std::chrono::floor<std::chrono::milliseconds>(attempt.started));
    batch_.decisions.push_back({std::move(attempt), std::move(group), std::nullopt});
}

void Ledger::enter_due() {
    for (const workflow::Group& group : workflow::decide_due(state_))
        apply(group, std::nullopt);
}

void Ledger::complete_without_attempt() {
    while (!unseen_.empty() && batch_.lines.size() < most_bytes_at_once) {
        workflow::TaskId id = unseen_.front();
        unseen_.pop_front();
        const workflow::Task& task = *state_.find(id);
        if (auto failure = workflow::past_bound(bounds_, task, time_is_up_)) {
            enter_dropped(id, std::move(*failure));
            continue;
        }
        if (!take_result_ || task.has_run) continue;
        if (auto result = take_result_(task)) enter_reused(id, std::move(*result));
    }
}

void Ledger::time_is_up() {
    time_is_up_ = true;
    unseen_ = open_tasks(state_);
}

void Ledger::note_usage(workflow::TaskId task, const workflow::AttemptUsage& used) {
    if (journal_) statelog::append_usage_note(batch_.lines, {task, used}, statelog::now());
}

void Ledger::put_back(workflow::TaskId task) {
    workflow::put_back(state_, task);
    if (time_is_up_) unseen_.push_back(task);
}

void Ledger::enter_dropped(workflow::TaskId id, workflow::Failure failure) {
    const workflow::Task& task = *state_.find(id);
    if (task.status == Status::delayed) workflow::make_due(state_, id);
    Attempt attempt = attempt_at(id, task);
    auto group = workflow::decide(config_, state_, id, std::move(failure));
    apply(group, std::nullopt);
    batch_.decisions.push_back({std::move(attempt), std::move(group), std::nullopt});
}

void Ledger::enter_reused(workflow::TaskId id, workflow::EarlierResult result) {
    Attempt attempt = attempt_at(id, *state_.find(id));
    auto group = workflow::decide_reused(config_, state_, id, std::move(result));
    apply(group, std::nullopt);
    batch_.decisions.push_back({std::move(attempt), std::move(group), std::nullopt});
}

void Ledger::apply(const workflow::Group& group, std::optional<statelog::Time> started) {
    if (std::exchange(batch_.groups_are_empty, false)) batch_.first_turn = state_.next_turn;
    statelog::Time now = statelog::now();
    for (const workflow::Entry& entry : group) {
        workflow::apply(config_, state_, entry).value();
        const auto* submitted = std::get_if<workflow::TaskSubmitted>(&entry);
        if (submitted && may_need_no_attempt()) unseen_.push_back(submitted->task);
        if (!journal_) continue;
        std::uint64_t begin = log_end_ + batch_.lines.size();
        statelog::append_record(batch_.lines, config_, entry, now, std::exchange(started, {}));
        if (results_) results_->note(entry, {begin, log_end_ + batch_.lines.size()});
    }
}

// If the group's retry has to wait: takes it out of the queue, and returns how long.
std::optional<std::chrono::milliseconds> Ledger::delay_retry(const workflow::Group& group) {
    const auto& completed = std::get<workflow::TaskCompleted>(group.front());
    auto* failed = std::get_if<workflow::Failed>(&completed.outcome);
    if (!failed || !failed->retry) return std::nullopt;
    auto delay = workflow::retry_delay(config_, state_, *failed->retry);
    if (!delay) return std::nullopt;
    workflow::delay(state_, *failed->retry);
    const config::Step& step = config_.step(state_.find(*failed->retry)->step);
    double chance = std::uniform_real_distribution(0.0, 1.0)(random_);
    return workflow::with_jitter(*delay, *step.options.retry_backoff, chance);
}

asio::awaitable<base::Result<std::vector<Decision>>> Ledger::commit() {
    Batch batch = std::exchange(batch_, {});
    std::vector<workflow::StepCounters> steps = state_.steps;
    std::size_t unfinished = state_.tasks.size();
    if (journal_) {
        committing_ = true;
        committing_from_ = batch.groups_are_empty ? UINT64_MAX : batch.first_turn;
        std::uint64_t end = log_end_ += batch.lines.size();
        base::Result<void> written = co_await journal_->commit(std::move(batch.lines));
        if (!written) co_return written.error();
        committing_ = false;
        if (results_) results_->set_log_bytes(end);
    }
    steps_ = std::move(steps);
    unfinished_ = unfinished;
    co_return std::move(batch.decisions);
}

std::uint64_t Ledger::startable_before() const {
    std::uint64_t before = durable_before();
    return unseen_.empty() ? before : std::min(before, state_.find(unseen_.front())->turn);
}

std::uint64_t Ledger::durable_before() const {
    std::uint64_t uncommitted_from = batch_.groups_are_empty ? UINT64_MAX : batch_.first_turn;
    return committing_ ? std::min(committing_from_, uncommitted_from) : uncommitted_from;
}

}  // namespace runner
