// What the agents of a run have used: it counts in the budget and the summary, and stands in the state log,
// also if the attempt never ends.
#include "io/log.hpp"
#include "runner/runner.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace runner {

namespace asio = boost::asio;
using workflow::RunningUsage;
using workflow::TaskId;

namespace {

// Waits before writing what has just changed: it may be over soon, with a report.
constexpr std::chrono::seconds pause{1};

RunningUsage::Time steady_time() {
    return std::chrono::floor<RunningUsage::Time>(std::chrono::steady_clock::now().time_since_epoch());
}

}  // namespace

workflow::UsageTable Runner::usage() const {
    workflow::UsageTable all = outcome_.usage;
    for (const auto& [task, used] : running_usage_.totals())
        if (const workflow::Task* running = state_.find(task)) all.add(running->step, used);
    return all;
}

// A command uses no tokens.
void Runner::warn_of_price(const pool_protocol::AgentReport& report) {
    const bool is_unknown = !report.usd && (limits_usd_ || report.input_tokens > 0);
    if (!is_unknown || std::exchange(has_warned_of_price_, true)) return;
    io::log::warn("an agent (", report.kind, report.model.empty() ? "" : ", " + report.model,
                  limits_usd_ ? ") reports no price, so what it costs is not counted in the budget"
                              : ") reports no price, so what it costs is not known");
}

// The attempt has ended; its report becomes the one that stands in the log.
void Runner::count_usage(const Attempt& attempt, std::optional<pool_protocol::AgentReport>& report) {
    if (report) warn_of_price(*report);
    RunningUsage::Ended ended = running_usage_.ended(attempt.task, std::move(report));
    report = std::move(ended.report);
    if (report) report->since = 0;  // it matters only while the task is at the pool
    if (budget_ && report) budget_->ended(workflow::budget_use_of(*report));
    if (ended.unreported) {
        if (budget_) budget_->ended(workflow::budget_use_of(*ended.unreported));
        outcome_.usage.add(attempt.step, *ended.unreported);
        ledger_.note_usage(attempt.task, *ended.unreported);
    }
    check_budget();
}

void Runner::note_usage(const RunningUsage::Notes& notes) {
    for (const auto& [task, used] : notes)
        ledger_.note_usage(task, used);
    if (!notes.empty()) wake();
}

// Called often, so it does not look at the other attempts.
void Runner::note_due_usage(TaskId task) {
    if (auto used = running_usage_.take_due(task, steady_time())) note_usage({{task, std::move(*used)}});
    if (running_usage_.is_unwritten(task) && !std::exchange(is_noting_later_, true))
        tasks_.spawn("usage so far", note_usage_later());
}

asio::awaitable<void> Runner::note_usage_later() {
    asio::steady_timer timer(executor_);
    while (auto due = running_usage_.next_due()) {
        timer.expires_at(std::chrono::steady_clock::time_point(std::max(*due, steady_time() + pause)));
        co_await timer.async_wait(asio::use_awaitable);
        note_usage(running_usage_.take_due(steady_time()));
    }
    is_noting_later_ = false;
}

}  // namespace runner
