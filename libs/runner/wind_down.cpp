// A run that starts nothing more, for good or for a while, and loses nothing of what is under way.
#include "base/text.hpp"
#include "io/log.hpp"
#include "runner/runner.hpp"

#include <boost/asio/use_awaitable.hpp>

#include <utility>

namespace runner {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds withdrawal_interval{1};

}  // namespace

AttemptExecutor::PoolCallbacks Runner::pool_callbacks(bool wants_activity) {
    AttemptExecutor::PoolCallbacks callbacks;
    if (wants_activity)
        callbacks.on_activity = [this](const Attempt& attempt, const pool_protocol::TaskActivity& told) {
            usage_.told(attempt.task, told);
        };
    callbacks.may_submit = [this](config::StepId step) { return may_submit(step); };
    callbacks.on_report = [this](const Attempt& attempt, const pool_protocol::AgentReport& report) {
        usage_.reported(attempt.task, report);
    };
    return callbacks;
}

void Runner::step_unserved(config::StepId step, std::string message) {
    if (attempt_executor_.at_pool(step) > 0) wind_down(Outcome::End::no_agents, message);
    unserved_.emplace(step, std::move(message));
}

bool Runner::may_submit(config::StepId step) {
    if (time_is_up_) return false;  // it is dropped, so it doesn't matter whether an agent could do it
    auto unserved = unserved_.find(step);
    if (unserved != unserved_.end()) wind_down(Outcome::End::no_agents, unserved->second);
    return !withdraws();
}

void Runner::set_paused(bool is_paused) {
    is_paused_ = is_paused;
    if (time_limit_) is_paused ? time_limit_->pause() : time_limit_->go_on();
    if (is_paused) start_withdrawing();
    wake();
}

// The attempt was not made: no agent has had the task.
void Runner::put_back(const Attempt& attempt) {
    usage_.put_back(attempt.task);
    ledger_.put_back(attempt.task);
    if (observer_) observer_->put_back(attempt);
}

void Runner::wind_down(Outcome::End end, std::string message) {
    if (wind_down_ || ended_early_) return;
    io::log::warn(message, "; nothing new is started, and the run ends when what runs has ended");
    wind_down_.emplace(WindDown{end, std::move(message)});
    start_withdrawing();
    wake();
}

void Runner::begin_time_limit() {
    if (!bounds_.max_run_seconds) return;
    time_limit_.emplace(executor_, *bounds_.max_run_seconds, [this] { end_time(); });
    if (!is_paused_) time_limit_->go_on();
}

void Runner::end_time() {
    time_is_up_ = true;
    has_told_of_bound_[static_cast<std::size_t>(workflow::Bound::max_run_seconds)] = true;
    io::log::warn(
        "the run has lasted max_run_seconds: only finallys are started from now on, and what has not begun "
        "is dropped");
    ledger_.time_is_up();
    start_withdrawing();
    wake();
}

void Runner::start_withdrawing() {
    if (!std::exchange(is_withdrawing_, true)) tasks_.spawn("withdraw queued tasks", withdraw_queued());
}

// Again and again, because agents may hand tasks back, and the connection may have been lost.
asio::awaitable<void> Runner::withdraw_queued() {
    asio::steady_timer timer(executor_);
    while (withdraws()) {
        attempt_executor_.withdraw_queued();
        timer.expires_after(withdrawal_interval);
        co_await timer.async_wait(asio::use_awaitable);
    }
    is_withdrawing_ = false;
}

}  // namespace runner
