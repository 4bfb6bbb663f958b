#include "runner/ledger.hpp"

#include "workflow/backoff.hpp"

#include <utility>

namespace runner {

namespace asio = boost::asio;

Ledger::Ledger(const config::WorkflowConfig& config, workflow::State& state, statelog::Journal* journal)
    : config_(config),
      state_(state),
      journal_(journal),
      steps_(state.steps),
      unfinished_(state.tasks.size()) {}

void Ledger::enter(Attempt attempt, workflow::AttemptResult result) {
    auto group = workflow::decide(config_, state_, attempt.task, std::move(result));
    apply(group, std::chrono::floor<std::chrono::milliseconds>(attempt.started));
    auto retry_after = delay_retry(group);
    batch_.decisions.push_back({std::move(attempt), std::move(group), retry_after});
}

void Ledger::enter_due() {
    for (const workflow::Group& group : workflow::decide_due(state_))
        apply(group, std::nullopt);
}

void Ledger::apply(const workflow::Group& group, std::optional<statelog::Time> started) {
    if (std::exchange(batch_.groups_are_empty, false)) batch_.first_turn = state_.next_turn;
    statelog::Time now = statelog::now();
    for (const workflow::Entry& entry : group) {
        workflow::apply(config_, state_, entry).value();
        if (journal_) statelog::append_record(batch_.lines, config_, entry, now, std::exchange(started, {}));
    }
}

// If the group's retry has to wait: takes it out of the queue, and returns how long.
std::optional<std::chrono::milliseconds> Ledger::delay_retry(const workflow::Group& group) {
    const auto& completed = std::get<workflow::TaskCompleted>(group.front());
    auto* failed = std::get_if<workflow::Failed>(&completed.outcome);
    if (!failed || !failed->retry) return std::nullopt;
    auto delay = workflow::retry_delay(config_, state_, *failed->retry);
    if (!delay) return std::nullopt;
    workflow::delay(config_, state_, *failed->retry);
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
        committing_from_ = batch.first_turn;
        base::Result<void> written = co_await journal_->commit(std::move(batch.lines));
        if (!written) co_return written.error();
        committing_ = false;
    }
    steps_ = std::move(steps);
    unfinished_ = unfinished;
    co_return std::move(batch.decisions);
}

std::uint64_t Ledger::startable_before() const {
    if (committing_) return committing_from_;
    return has_uncommitted() ? batch_.first_turn : UINT64_MAX;
}

}  // namespace runner
