#include "inspect/report.hpp"

#include "base/text.hpp"
#include "inspect/format.hpp"

#include <boost/system/errc.hpp>

#include <utility>
#include <variant>

namespace inspect {

namespace {

base::Error changed(const InspectedLog& log) {
    return {boost::system::errc::make_error_code(boost::system::errc::bad_message),
            log.path + " was changed while it was read, as no run does it; try again"};
}

}  // namespace

InspectedLog::Status InspectedLog::status() const {
    if (replay.state().over()) return Status::finished;
    if (!later.empty()) return Status::stopped;  // its log is locked by the run that continues it
    if (use == statelog::Use::unknown) return Status::unknown;
    return use == statelog::Use::held ? Status::running : Status::stopped;
}

std::string_view status_name(InspectedLog::Status status) {
    switch (status) {
        case InspectedLog::Status::running:
            return "running";
        case InspectedLog::Status::stopped:
            return "stopped";
        case InspectedLog::Status::finished:
            return "finished";
        case InspectedLog::Status::unknown:
            break;
    }
    return "unknown";
}

std::string_view state_name(InspectedTask::State state) {
    switch (state) {
        case InspectedTask::State::pending:
            return "pending";
        case InspectedTask::State::waiting:
            return "waiting";
        case InspectedTask::State::done:
            return "done";
        case InspectedTask::State::dropped:
            break;
    }
    return "dropped";
}

std::string step_label(const InspectedLog& log, config::StepId step, bool is_finally) {
    return base::concat(printable(log.replay.config()->step(step).name), is_finally ? " (finally)" : "");
}

std::string step_label(const InspectedLog& log, const InspectedTask& task) {
    return step_label(log, task.step, task.finally_for.has_value());
}

std::string reason_text(const workflow::Failure& failure) {
    const bool is_cancelled = failure.name == "cancelled";  // in the queue of the pool: no agent has failed
    std::string text(is_cancelled ? "Cancelled" : statelog::reason_name(failure.kind));
    if (failure.exit_code) text += base::concat(", exit code ", *failure.exit_code);
    if (failure.signal) text += base::concat(", signal ", *failure.signal);
    if (failure.is_permanent) text += ", permanent";
    if (!failure.hook.empty()) text += base::concat(", ", printable(failure.hook), " hook");
    return text;
}

base::Result<statelog::Record> read_entry(const InspectedLog& log, std::uint64_t offset) {
    auto line = log.read_line(offset);
    if (!line) return line.error();
    return statelog::read_record(*log.replay.config(), *line);
}

base::Result<workflow::TaskCompleted> read_completion(const InspectedLog& log,
                                                      const InspectedAttempt& attempt) {
    auto record = read_entry(log, attempt.completed_at);
    if (!record) return record.error();
    auto* completed = std::get_if<workflow::TaskCompleted>(&record->entry);
    if (!completed) return changed(log);
    return std::move(*completed);
}

base::Result<workflow::Failure> read_failure(const InspectedLog& log, const InspectedAttempt& attempt) {
    auto completed = read_completion(log, attempt);
    if (!completed) return completed.error();
    const auto* failed = std::get_if<workflow::Failed>(&completed->outcome);
    if (!failed) return changed(log);
    return failed->failure();
}

base::Result<pool_protocol::AgentReport> read_report(const InspectedLog& log,
                                                     const InspectedAttempt& attempt) {
    auto completed = read_completion(log, attempt);
    if (!completed) return completed.error();
    if (!completed->report) return changed(log);
    return *completed->report;
}

base::Result<workflow::Measured> read_measured(const InspectedLog& log, const InspectedAttempt& attempt) {
    auto completed = read_completion(log, attempt);
    if (!completed) return completed.error();
    if (!completed->measured) return changed(log);
    return *completed->measured;
}

base::Result<std::vector<config::NewTask>> read_response(const InspectedLog& log,
                                                         const InspectedAttempt& attempt) {
    auto completed = read_completion(log, attempt);
    if (!completed) return completed.error();
    const auto* succeeded = std::get_if<workflow::Succeeded>(&completed->outcome);
    if (!succeeded) return changed(log);
    std::vector<config::NewTask> response;
    for (workflow::TaskId id : succeeded->spawned) {
        auto index = log.inspection.find(id);
        if (!index) return changed(log);
        const InspectedTask& task = log.inspection.tasks()[*index];
        auto value = read_value(log, task);
        if (!value) return value.error();
        response.push_back({task.step, **value});
    }
    return response;
}

base::Result<workflow::ReusedFrom> read_reused(const InspectedLog& log, const InspectedAttempt& attempt) {
    auto completed = read_completion(log, attempt);
    if (!completed) return completed.error();
    if (!completed->reused) return changed(log);
    return *completed->reused;
}

base::Result<std::string> read_agent(const InspectedLog& log, const InspectedAttempt& attempt) {
    auto completed = read_completion(log, attempt);
    if (!completed) return completed.error();
    if (!completed->agent) return changed(log);
    return *completed->agent;
}

base::Result<std::string> read_answered_by(const InspectedLog& log, const InspectedAttempt& attempt) {
    auto completed = read_completion(log, attempt);
    if (!completed) return completed.error();
    if (!completed->answered) return changed(log);
    return completed->answered->user;
}

base::Result<workflow::Value> read_value(const InspectedLog& log, const InspectedTask& task) {
    auto record = read_entry(log, log.inspection.attempts()[task.first].submitted_at);
    if (!record) return record.error();
    const auto* submitted = std::get_if<workflow::TaskSubmitted>(&record->entry);
    if (!submitted) return changed(log);
    return submitted->value;
}

std::string no_such_task(const Inspection& inspection, const std::string& path, workflow::TaskId id) {
    const auto& attempts = inspection.attempts();
    return base::concat(
        "there is no task ", id.value, " in ", path, "; ",
        attempts.empty() ? "it has none" : base::concat("the last one in it is ", attempts.back().id.value));
}

bool has_finally(const InspectedLog& log, const InspectedTask& task) {
    bool was_tried = task.attempts > 1 || !log.inspection.attempts()[task.last].is_past_bound;
    return was_tried && !task.finally_for && log.replay.config()->step(task.step).has_finally();
}

std::vector<std::uint32_t> children_of(const Inspection& inspection, std::uint32_t task) {
    std::vector<std::uint32_t> children;
    const auto& tasks = inspection.tasks();
    for (std::uint32_t i = 0; i < tasks.size(); ++i)
        if (tasks[i].origin == InspectedTask::Origin::spawned && tasks[i].parent &&
            inspection.find(*tasks[i].parent) == task)
            children.push_back(i);
    return children;
}

}  // namespace inspect
