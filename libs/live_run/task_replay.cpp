#include "live_run/task_replay.hpp"

#include "base/exit_code.hpp"
#include "io/internal_error.hpp"
#include "io/log.hpp"
#include "launch/begin_run.hpp"
#include "launch/run_files.hpp"
#include "live_run/wake.hpp"
#include "runner/jobs.hpp"
#include "runner/submission_limit.hpp"

#include <boost/asio/post.hpp>

#include <utility>

namespace live_run {

namespace asio = boost::asio;
namespace log = io::log;

TaskReplay::TaskReplay(asio::any_io_executor executor, const launch::RunOptions& options, ReplayPlan plan,
                       process::Guard* guard)
    : executor_(executor),
      options_(options),
      plan_(std::move(plan)),
      redaction_(launch::redaction_for(options.redacts, *plan_.config)),
      signals_(executor, false),
      pool_side_(executor, options, *plan_.config, plan_.run_id, "", guard),
      work_(executor, io::end_process),
      background_(executor, io::end_process) {}

std::optional<int> TaskReplay::exit_code() const {
    if (signals_.first() != 0) return 128 + signals_.first();
    return end_ ? std::nullopt : std::optional(exit_code_);
}

asio::awaitable<void> TaskReplay::main() {
    background_.spawn("signals", signals_.watch([this] { work_.cancel(); }, [](int /*exit_code*/) {}));
    work_.spawn("replay", work());
    co_await work_.join();
    co_await pool_side_.disconnect();
    background_.cancel();
    co_await background_.join();
    co_await pool_side_.leave();
}

asio::awaitable<void> TaskReplay::work() {
    if (plan_.uses_pool()) {
        if (!open_pool()) {
            exit_code_ = base::ExitCode::unavailable;
            co_return;
        }
        bool is_awake = co_await run_wake(options_.wake);
        if (!is_awake) co_return;
    }
    co_await run_attempt();
}

asio::awaitable<void> TaskReplay::run_attempt() {
    runner::Jobs jobs(executor_, 1, [] {});
    runner::SubmissionLimit submission_limit(executor_, *plan_.config, {});
    runner::AttemptExecutor::PoolCallbacks callbacks;
    callbacks.may_submit = [](config::StepId /*step*/) { return true; };
    callbacks.on_report = [](const runner::Attempt& /*attempt*/, const auto& /*report*/) {};
    runner::ResultFiles results(executor_, *plan_.config, statelog::open_reading(plan_.log),
                                launch::results_directory("", plan_.run_id));
    runner::AttemptExecutor attempts(*plan_.config, plan_.run_id, plan_.run_id, jobs,
                                     pool_side_.is_open() ? &pool_side_.pool().submitter() : nullptr, nullptr,
                                     submission_limit, {nullptr, redaction_}, &results,
                                     launch::attempts_directory("", plan_.run_id), std::move(callbacks));
    runner::Job job;
    base::Result<workflow::AttemptEnd> end = co_await attempts.run(plan_.attempt, std::move(job));
    if (end) {
        end_ = std::move(*end);
        co_return;
    }
    log::error(end.error().message);
    exit_code_ = base::ExitCode::unavailable;
}

bool TaskReplay::open_pool() {
    return pool_side_.open(plan_.pool,
                           {[this](const std::string& message) { give_up(message); }, agent_callbacks()});
}

// The other steps of the config do not matter.
RunAgents::Callbacks TaskReplay::agent_callbacks() {
    return {[this](const std::string& message) { give_up(message); },
            [this](config::StepId step, const std::string& message) {
                if (step == plan_.attempt.step) give_up(message);
            }};
}

// Later, because work() may be the caller: Asio lets no coroutine be cancelled that has not been suspended
// yet.
void TaskReplay::give_up(const std::string& message) {
    if (std::exchange(has_given_up_, true)) return;
    log::error(runner::label(*plan_.config, plan_.attempt), " cannot be done: ", message);
    asio::post(executor_, [this] { work_.cancel(); });
}

}  // namespace live_run
