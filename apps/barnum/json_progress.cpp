#include "json_progress.hpp"

#include "plain_progress.hpp"
#include "progress/events.hpp"

#include <boost/asio/use_awaitable.hpp>

#include <utility>

namespace barnum {

namespace asio = boost::asio;
namespace log = io::log;

namespace {

progress::WallTime wall_time() {
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

std::string present(const log::Line& line) {
    if (line.is_state_change && !log::enabled(log::Level::debug)) return "";
    std::string_view text = line.text;
    while (text.ends_with('\n'))
        text.remove_suffix(1);
    return progress::log_line(wall_time(), log::name_of(line.level), text, line.command);
}

progress::Subject subject(const config::WorkflowConfig& config, const runner::Attempt& attempt) {
    return {attempt.task.value, config.step(attempt.step).name, attempt.is_finally, attempt.number};
}

std::string_view result_name(const runner::Outcome& outcome) {
    switch (outcome.end) {
        case runner::Outcome::End::cancelled:
            return "interrupted";
        case runner::Outcome::End::pool_unreachable:
            return "pool_unreachable";
        case runner::Outcome::End::no_agents:
            return "no_agents";
        case runner::Outcome::End::log_failed:
            return "log_failed";
        case runner::Outcome::End::internal_error:
            return "internal_error";
        case runner::Outcome::End::finished:
            break;
    }
    return outcome.all_well() ? "finished" : "failed";
}

}  // namespace

JsonProgress::JsonProgress(const asio::any_io_executor& executor, WatchedRun run)
    : Progress(std::move(run)), timer_(executor) {
    log::set_presenter(present);
}

JsonProgress::~JsonProgress() {
    log::set_presenter({});
}

asio::awaitable<void> JsonProgress::show() {
    while (true) {
        timer_.expires_after(summary_interval);
        co_await timer_.async_wait(asio::use_awaitable);
        if (has_begun()) log::put_on_stderr(progress::summary(wall_time(), model(), run().agents(), now()));
    }
}

void JsonProgress::begun(const workflow::State& state) {
    Progress::begun(state);
    log::put_on_stderr(progress::run_started(wall_time(), run().run_id, run().state_log, model()));
}

void JsonProgress::started(const runner::Attempt& attempt) {
    Progress::started(attempt);
    log::put_on_stderr(progress::task_started(wall_time(), subject(*run().config, attempt)));
}

void JsonProgress::entered(const runner::Attempt& attempt, workflow::Phase phase) {
    Progress::entered(attempt, phase);
    log::put_on_stderr(progress::task_phase(wall_time(), attempt.task.value, phase_of(phase)));
}

void JsonProgress::decided(const runner::Decision& decision) {
    Progress::decided(decision);
    log::put_on_stderr(ended(decision));
}

std::string JsonProgress::ended(const runner::Decision& decision) const {
    auto about = subject(*run().config, decision.attempt);
    auto took = std::chrono::system_clock::now() - decision.attempt.started;
    const auto& outcome = decision.completed().outcome;
    if (const auto* succeeded = std::get_if<workflow::Succeeded>(&outcome))
        return progress::task_done(wall_time(), about, took, succeeded->spawned.size());
    const auto& failed = std::get<workflow::Failed>(outcome);
    if (!failed.retry) return progress::task_dropped(wall_time(), about, took, failed.failure.message);
    auto wait = decision.retry_after.value_or(std::chrono::milliseconds(0));
    return progress::task_retried(wall_time(), about, took, failed.retry->value, wait,
                                  failed.failure.message);
}

void JsonProgress::conclude(const runner::Outcome& outcome) {
    log::put_on_stderr(
        progress::run_ended(wall_time(), result_name(outcome), outcome.message, model(), now()));
}

}  // namespace barnum
