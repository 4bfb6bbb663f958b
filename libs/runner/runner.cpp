#include "runner/runner.hpp"

#include "base/text.hpp"
#include "io/log.hpp"
#include "workflow/backoff.hpp"
#include "workflow/rules.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <cstdio>
#include <utility>
#include <variant>

namespace runner {

namespace asio = boost::asio;
using workflow::TaskId;

namespace {

std::string text_of(std::exception_ptr exception) {
    try {
        std::rethrow_exception(std::move(exception));
    } catch (const std::exception& error) {
        return error.what();
    } catch (...) {
        return "unknown exception";
    }
}

std::string tries(const config::WorkflowConfig& config, const Attempt& attempt) {
    std::uint64_t most = std::uint64_t{config.step(attempt.step).options.max_retries} + 1;
    return base::concat("attempt ", attempt.number, " of ", most);
}

// "2.0 s", "50 ms"
std::string span(std::chrono::milliseconds time) {
    if (time < std::chrono::seconds(1)) return base::concat(time.count(), " ms");
    char text[32];
    std::snprintf(text, sizeof text, "%.1f s", std::chrono::duration<double>(time).count());
    return text;
}

}  // namespace

Runner::Runner(asio::any_io_executor executor, const config::WorkflowConfig& config, Settings settings)
    : executor_(executor),
      config_(config),
      state_(config),
      jobs_(executor, settings.jobs, [this] { wake(); }),
      lifecycle_(config, std::move(settings.run_id), jobs_, settings.submitter),
      tasks_(executor,
             [this](const std::string& name, std::exception_ptr exception) {
                 give_up(Outcome::End::internal_error,
                         base::concat(name, ": ", text_of(std::move(exception))));
             }),
      news_(executor) {}

asio::awaitable<Outcome> Runner::run(std::vector<config::NewTask> tasks) {
    auto started = std::chrono::steady_clock::now();
    bool throws = co_await asio::this_coro::throw_if_cancelled();
    co_await asio::this_coro::throw_if_cancelled(false);
    apply(workflow::decide_initial(state_, std::move(tasks)));
    while (!state_.over() && !ended_early_) {
        asio::cancellation_state cancellation = co_await asio::this_coro::cancellation_state;
        if (cancellation.cancelled() != asio::cancellation_type::none) {
            give_up(Outcome::End::cancelled, "");
            break;
        }
        start_ready();
        co_await wait_for_news();
        settle();
    }
    tasks_.cancel();
    co_await tasks_.join();
    co_await asio::this_coro::throw_if_cancelled(throws);
    co_return outcome(started);
}

asio::awaitable<void> Runner::wait_for_news() {
    if (!awake_) {
        news_.expires_at(asio::steady_timer::time_point::max());
        boost::system::error_code ignored;
        co_await news_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    awake_ = false;
}

void Runner::wake() {
    awake_ = true;
    news_.cancel();
}

// Tasks that begin with a local process get their job here, so that no coroutine waits about for its first
// one.
void Runner::start_ready() {
    while (true) {
        Job job = jobs_.try_acquire();
        auto task = workflow::take_ready(config_, state_, static_cast<bool>(job));
        if (!task) break;
        if (workflow::lane(config_, *state_.find(*task)) == workflow::Lane::pool) job.release();
        start(*task, std::move(job));
    }
    awake_ = !finished_.empty() || ended_early_;  // the jobs put back here are no news, what ended at once is
}

void Runner::start(TaskId id, Job job) {
    const workflow::Task& task = *state_.find(id);
    Attempt attempt{id, task.step, task.attempt, task.value, task.finally_for.has_value()};
    std::string name = label(config_, attempt);
    bool for_an_agent = workflow::lane(config_, task) == workflow::Lane::pool;  // who may take it much later
    io::log::info(name, for_an_agent ? ": submitted" : ": started",
                  attempt.number > 1 ? base::concat(" (attempt ", attempt.number, ")") : "");
    tasks_.spawn(std::move(name), attend(std::move(attempt), std::move(job)));
}

asio::awaitable<void> Runner::attend(Attempt attempt, Job job) {
    base::Result<workflow::AttemptResult> result = co_await lifecycle_.run(attempt, std::move(job));
    if (result) {
        finished_.push_back({std::move(attempt), std::move(*result)});
        wake();
    } else {
        give_up(Outcome::End::pool_unreachable, std::move(result.error().message));
    }
}

void Runner::settle() {
    std::vector<Settled> settled;
    for (Finished& finished : std::exchange(finished_, {})) {
        auto group = workflow::decide(config_, state_, finished.attempt.task, std::move(finished.result));
        apply(group);
        auto retry_after = delay_retry(group);
        settled.push_back({std::move(finished.attempt), std::move(group), retry_after});
    }
    for (const Settled& one : settled)
        announce(one);
}

void Runner::apply(const workflow::Group& group) {
    for (const workflow::Entry& entry : group)
        workflow::apply(config_, state_, entry).value();
}

// Takes the group's retry out of the queue if it has to wait, and says how long.
std::optional<std::chrono::milliseconds> Runner::delay_retry(const workflow::Group& group) {
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

asio::awaitable<void> Runner::await_retry(TaskId task, std::chrono::milliseconds delay) {
    asio::steady_timer timer(executor_, delay);
    co_await timer.async_wait(asio::use_awaitable);
    workflow::make_due(config_, state_, task);
    wake();
}

void Runner::announce(const Settled& settled) {
    const auto& completed = std::get<workflow::TaskCompleted>(settled.group.front());
    if (auto* failed = std::get_if<workflow::Failed>(&completed.outcome))
        return failed->retry ? announce_retry(settled, *failed) : announce_drop(settled.attempt, *failed);
    const auto& succeeded = std::get<workflow::Succeeded>(completed.outcome);
    io::log::info(label(config_, settled.attempt), ": done, ", succeeded.spawned.size(), " next");
}

void Runner::announce_retry(const Settled& settled, const workflow::Failed& failed) {
    TaskId retry = *failed.retry;
    auto wait = settled.retry_after;
    io::log::warn(label(config_, settled.attempt), ": failed (", tries(config_, settled.attempt),
                  ", again as task ", retry.value, wait ? " in " + span(*wait) : "",
                  "): ", failed.failure.message);
    if (wait) tasks_.spawn(base::concat("wait for task ", retry.value), await_retry(retry, *wait));
}

void Runner::announce_drop(const Attempt& attempt, const workflow::Failed& failed) {
    std::string name = label(config_, attempt);
    io::log::error(name, ": failed (", tries(config_, attempt), ", given up): ", failed.failure.message);
    if (++outcome_.given_up_count <= given_up_shown)
        outcome_.given_up.push_back({std::move(name), failed.failure.message});
}

void Runner::give_up(Outcome::End end, std::string message) {
    if (!ended_early_) {
        outcome_.end = end;
        outcome_.message = std::move(message);
    }
    ended_early_ = true;
    wake();
}

Outcome Runner::outcome(std::chrono::steady_clock::time_point started) {
    outcome_.steps = state_.steps;
    outcome_.unfinished = state_.tasks.size();
    outcome_.elapsed = std::chrono::steady_clock::now() - started;
    return std::move(outcome_);
}

}  // namespace runner
