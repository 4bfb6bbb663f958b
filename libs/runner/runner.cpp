#include "runner/runner.hpp"

#include "base/text.hpp"
#include "io/log.hpp"
#include "workflow/rules.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

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
    awake_ = false;  // the jobs put back here are no news
}

void Runner::start(TaskId id, Job job) {
    const workflow::Task& task = *state_.find(id);
    Attempt attempt{id, task.step, task.attempt, task.value, task.finally_for.has_value()};
    std::string name = label(config_, attempt);
    io::log::info(name, ": started",
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
        settled.push_back({std::move(finished.attempt), std::move(group)});
    }
    for (const Settled& one : settled)
        announce(one);
}

void Runner::apply(const workflow::Group& group) {
    for (const workflow::Entry& entry : group)
        workflow::apply(config_, state_, entry).value();
}

void Runner::announce(const Settled& settled) {
    const auto& completed = std::get<workflow::TaskCompleted>(settled.group.front());
    if (auto* failed = std::get_if<workflow::Failed>(&completed.outcome))
        return announce_failure(settled.attempt, *failed);
    const auto& succeeded = std::get<workflow::Succeeded>(completed.outcome);
    io::log::info(label(config_, settled.attempt), ": done, ", succeeded.spawned.size(), " next");
}

void Runner::announce_failure(const Attempt& attempt, const workflow::Failed& failed) {
    std::string name = label(config_, attempt);
    std::string tries =
        base::concat("attempt ", attempt.number, " of ", config_.step(attempt.step).options.max_retries + 1);
    if (failed.retry) {
        io::log::warn(name, ": failed (", tries, ", again as task ", failed.retry->value,
                      "): ", failed.failure.message);
        return;
    }
    io::log::error(name, ": failed (", tries, ", given up): ", failed.failure.message);
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
