#include "runner/usage_meter.hpp"

#include "base/text.hpp"
#include "io/log.hpp"

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

UsageMeter::UsageMeter(asio::any_io_executor executor, io::TaskGroup& tasks, const workflow::State& state,
                       Before before, const std::optional<config::BudgetLimits>& budget, Callbacks callbacks)
    : executor_(std::move(executor)),
      tasks_(tasks),
      state_(state),
      callbacks_(std::move(callbacks)),
      ended_(std::move(before.ended)),
      running_(before.running) {
    if (!budget) return;
    budget_.emplace(*budget, ended_.total());
    budget_->running(running_.sum());
    limits_usd_ = budget->usd.has_value();
}

workflow::UsageTable UsageMeter::table() const {
    workflow::UsageTable all = ended_;
    for (const auto& [task, used] : running_.totals())
        if (const workflow::Task* running = state_.find(task)) all.add(running->step, used);
    return all;
}

void UsageMeter::warn_of_price(const pool_protocol::AgentReport& report) {
    const bool has_cost = report.input_tokens > 0;  // a command has none
    const bool is_unknown = !report.usd && (limits_usd_ || has_cost);
    if (!is_unknown || std::exchange(has_warned_of_price_, true)) return;
    io::log::warn("an agent (", report.kind, report.model.empty() ? "" : ", " + report.model,
                  limits_usd_ ? ") reports no price, so what it costs is not counted in the budget"
                              : ") reports no price, so what it costs is not known");
}

void UsageMeter::ended(TaskId task, config::StepId step, std::optional<pool_protocol::AgentReport>& report) {
    if (report) warn_of_price(*report);
    RunningUsage::Ended ended = running_.ended(task, std::move(report));
    report = std::move(ended.report);
    if (report) report->since = 0;  // it matters only while the task is at the pool
    if (budget_ && report) budget_->ended(workflow::budget_use_of(*report));
    if (ended.unreported) {
        if (budget_) budget_->ended(workflow::budget_use_of(*ended.unreported));
        ended_.add(step, *ended.unreported);
        callbacks_.note(task, *ended.unreported);
    }
    check_budget();
}

void UsageMeter::note(const RunningUsage::Notes& notes) {
    for (const auto& [task, used] : notes)
        callbacks_.note(task, used);
}

// Called often, so it does not look at the other attempts.
void UsageMeter::told(TaskId task, const pool_protocol::TaskActivity& told) {
    if (told.activity)
        running_.told(task, *told.activity);
    else
        running_.left(task, told.used);
    if (auto used = running_.take_due(task, steady_time())) note({{task, std::move(*used)}});
    if (running_.is_unwritten(task)) note_later();
    check_budget();
}

// Most often the attempt ends now, with the same report.
void UsageMeter::reported(TaskId task, const pool_protocol::AgentReport& report) {
    running_.reported(task, report);
    note_later();
    check_budget();
}

void UsageMeter::note_later() {
    if (!std::exchange(is_noting_later_, true)) tasks_.spawn("usage so far", note_what_is_due());
}

asio::awaitable<void> UsageMeter::note_what_is_due() {
    asio::steady_timer timer(executor_);
    while (auto due = running_.next_due()) {
        timer.expires_at(std::chrono::steady_clock::time_point(std::max(*due, steady_time() + pause)));
        co_await timer.async_wait(asio::use_awaitable);
        note(running_.take_due(steady_time()));
    }
    is_noting_later_ = false;
}

void UsageMeter::check_budget() {
    if (!budget_) return;
    budget_->running(running_.sum());
    if (budget_->is_spent())
        callbacks_.on_spent(base::concat("the budget is spent: ", budget_->text()));
    else if (budget_->take_warning())
        io::log::warn("most of the budget is spent: ", budget_->text());
}

}  // namespace runner
