#include "displays/event_progress.hpp"

#include "base/system_time.hpp"
#include "progress/events.hpp"
#include "runner/redacted.hpp"

#include <utility>

namespace displays {

namespace log = io::log;

namespace {

progress::Subject subject(const config::WorkflowConfig& config, const runner::Attempt& attempt) {
    return {attempt.task.value, config.step(attempt.step).name, attempt.is_finally, attempt.number};
}

}  // namespace

progress::WallTime wall_time() {
    return base::system_time();
}

std::string log_event(const log::Line& line) {
    if (line.is_state_change && !log::enabled(log::Level::debug)) return "";
    std::string_view text = line.text;
    while (text.ends_with('\n'))
        text.remove_suffix(1);
    return progress::log_line(wall_time(), log::name_of(line.level), text, line.command);
}

void EventProgress::begun(const workflow::State& state) {
    Progress::begun(state);
    if (wants_events()) put_event(progress::run_started(wall_time(), run().run_id, run().state_log, model()));
}

void EventProgress::started(const runner::Attempt& attempt) {
    Progress::started(attempt);
    if (wants_events()) put_event(progress::task_started(wall_time(), subject(*run().config, attempt)));
}

void EventProgress::entered(const runner::Attempt& attempt, workflow::Phase phase) {
    Progress::entered(attempt, phase);
    if (wants_events()) put_event(progress::task_phase(wall_time(), attempt.task.value, phase_of(phase)));
}

void EventProgress::activity(const runner::Attempt& attempt, const pool_protocol::AgentName& agent,
                             const std::optional<pool_protocol::AgentActivity>& activity) {
    Progress::activity(attempt, agent, activity);
    if (wants_events())
        put_event(progress::task_activity(wall_time(), attempt.task.value, agent.text(),
                                          activity ? to_json(*activity) : "null"));
}

void EventProgress::put_back(const runner::Attempt& attempt) {
    Progress::put_back(attempt);
    if (wants_events()) put_event(progress::task_put_back(wall_time(), subject(*run().config, attempt)));
}

void EventProgress::decided(const runner::Decision& decision) {
    Progress::decided(decision);
    if (wants_events()) put_event(ended(decision));
}

std::string EventProgress::ended(const runner::Decision& decision) const {
    auto about = subject(*run().config, decision.attempt);
    auto took = std::chrono::system_clock::now() - decision.attempt.started;
    const auto& outcome = decision.completed().outcome;
    const auto& reused = decision.completed().reused;
    const auto* succeeded = std::get_if<workflow::Succeeded>(&outcome);
    if (succeeded && reused)
        return progress::task_reused(wall_time(), about, reused->run_id, reused->task.value,
                                     succeeded->spawned.size());
    if (succeeded) return progress::task_done(wall_time(), about, took, succeeded->spawned.size());
    const auto& failed = std::get<workflow::Failed>(outcome);
    std::string message = runner::redacted(run().redaction, failed.failure().message);
    if (failed.failure().kind == workflow::Failure::Kind::past_bound) took = {};
    if (!failed.retry) return progress::task_dropped(wall_time(), about, took, message);
    auto wait = decision.retry_after.value_or(std::chrono::milliseconds(0));
    return progress::task_retried(wall_time(), about, took, failed.retry->value, wait, message);
}

std::string EventProgress::summary_event() const {
    return progress::summary(wall_time(), model(), run().agents(), spending(), now());
}

std::string EventProgress::end_event(const runner::Outcome& outcome) const {
    return progress::run_ended(wall_time(), runner::result_name(outcome), outcome.message, model(),
                               spending(), now());
}

}  // namespace displays
