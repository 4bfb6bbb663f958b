#include "base/text.hpp"
#include "inspect/format.hpp"
#include "inspect/report.hpp"

#include <algorithm>
#include <vector>

namespace inspect {

namespace {

using Align = Table::Align;
using base::concat;
using Outcome = InspectedAttempt::Outcome;
using State = InspectedTask::State;

constexpr std::size_t children_shown = 20;
constexpr std::size_t value_length = 2000;

std::string name_of(const InspectedLog& log, const InspectedTask& task) {
    return concat("task ", log.inspection.last_id(task).value, " ", step_label(log, task));
}

std::string name_of(const InspectedLog& log, workflow::TaskId id) {
    auto index = log.inspection.find(id);
    return index ? name_of(log, log.inspection.tasks()[*index]) : concat("task ", id.value);
}

std::string state_of(const InspectedTask& task) {
    std::string text(state_name(task.state));
    if (task.state == State::waiting)
        text += concat(": its finally waits for ", base::counted(task.waits_for, "task"));
    return text;
}

std::string origin_of(const InspectedLog& log, const InspectedTask& task) {
    switch (task.origin) {
        case InspectedTask::Origin::initial:
            return "the run began with it";
        case InspectedTask::Origin::finally:
            return "finally of " + name_of(log, log.inspection.tasks()[*task.finally_for]);
        case InspectedTask::Origin::spawned:
            break;
    }
    return task.parent ? "spawned by " + name_of(log, *task.parent) : "spawned";
}

std::string finally_of(const InspectedLog& log, const InspectedTask& task) {
    if (task.finally_due) return "due: it comes first when the run is resumed";
    if (!task.finally) return "comes when the task and its descendants are over";
    const InspectedTask& finally = log.inspection.tasks()[*task.finally];
    return concat("task ", log.inspection.last_id(finally).value, ", ", state_of(finally));
}

std::string end_of(const InspectedLog& log, const InspectedAttempt& attempt) {
    switch (attempt.outcome) {
        case Outcome::none:
            return log.replay.state().asked.contains(attempt.id) ? "waiting for a human" : "pending";
        case Outcome::succeeded:
            if (attempt.is_lenient) return "succeeded, lenient response";
            return attempt.is_reused ? "reused" : "succeeded";
        case Outcome::failed:
            break;
    }
    if (attempt.is_past_bound) return "not started, dropped";
    if (!attempt.next) return "failed, dropped";
    return concat("failed, again as task ", log.inspection.attempts()[*attempt.next].id.value);
}

std::string attempt_table(const InspectedLog& log, const InspectedTask& task) {
    Table table({{"attempt", Align::right},
                 {"task", Align::right},
                 {"submitted"},
                 {"started"},
                 {"ended"},
                 {"duration", Align::right},
                 {"outcome"}});
    std::size_t number = 0;
    for (std::optional<std::uint32_t> i = task.first; i; i = log.inspection.attempts()[*i].next) {
        const InspectedAttempt& attempt = log.inspection.attempts()[*i];
        table.add({std::to_string(++number), std::to_string(attempt.id.value), time_text(attempt.submitted),
                   time_text(attempt.started), time_text(attempt.ended), duration_text(attempt.duration()),
                   end_of(log, attempt)});
    }
    return "\n" + table_text(table);
}

base::Result<std::string> failure_texts(const InspectedLog& log, const InspectedTask& task) {
    std::string text;
    std::size_t number = 0;
    for (std::optional<std::uint32_t> i = task.first; i; i = log.inspection.attempts()[*i].next) {
        ++number;
        const InspectedAttempt& attempt = log.inspection.attempts()[*i];
        if (attempt.outcome != Outcome::failed) continue;
        auto failure = read_failure(log, attempt);
        if (!failure) return failure.error();
        text += concat("\nattempt ", number, " failed: ", reason_text(*failure), "\n");
        for (const std::string& line : message_lines(failure->message, false))
            text += concat("  ", line, "\n");
        if (failure->response)
            text += concat("  its response: ", clipped(*failure->response, value_length), "\n");
    }
    return text;
}

std::string report_line(const pool_protocol::AgentReport& report) {
    std::string text = printable(report.kind);
    if (!report.model.empty()) text += concat(", model ", printable(report.model));
    text += concat(", ", base::counted(static_cast<std::size_t>(report.repairs), "repair"), ", ",
                   base::counted(static_cast<std::size_t>(report.turns), "turn"), ", ", report.input_tokens,
                   " tokens in (", report.cached_tokens, " cached), ", report.output_tokens, " out");
    if (report.usd) text += concat(", ", workflow::cost_text(workflow::usage_of(report)));
    if (!report.price_list.empty()) text += concat(" by the price list of ", printable(report.price_list));
    if (!report.session.empty()) text += concat(", session ", printable(report.session));
    if (!report.refused.empty()) text += concat("\n  refused: ", printable(report.refused));
    if (!report.transcript.empty()) text += concat("\n  transcript ", printable(report.transcript));
    return text;
}

// "claude-1: claude, model opus, …"; the agent has a name, a report, or both.
std::string agent_line(const workflow::TaskCompleted& completed) {
    std::string report = completed.report ? report_line(*completed.report) : "";
    if (!completed.agent) return report;
    return concat(printable(*completed.agent), report.empty() ? "" : ": ", report);
}

base::Result<std::string> report_lines(const InspectedLog& log, const InspectedTask& task) {
    std::string text;
    std::size_t number = 0;
    for (std::optional<std::uint32_t> i = task.first; i; i = log.inspection.attempts()[*i].next) {
        ++number;
        const InspectedAttempt& attempt = log.inspection.attempts()[*i];
        if (!attempt.has_report && !attempt.has_agent) continue;
        auto completed = read_completion(log, attempt);
        if (!completed) return completed.error();
        text += concat(text.empty() ? "\n" : "", "attempt ", number, " by ", agent_line(*completed), "\n");
    }
    return text;
}

std::string measured_text(const workflow::Measured& measured) {
    std::string text;
    auto add = [&](std::string_view phase, const std::optional<std::chrono::milliseconds>& time) {
        if (time) text += concat(phase, " ", duration_text(time), ", ");
    };
    add("pre hook", measured.pre);
    add("action", measured.action);
    add("post hook", measured.post);
    text += concat(duration_text(measured.cpu), " of CPU time");
    if (measured.peak_memory) text += concat(", ", size_text(*measured.peak_memory), " of memory at most");
    return text;
}

base::Result<std::string> measured_lines(const InspectedLog& log, const InspectedTask& task) {
    std::string text;
    std::size_t number = 0;
    for (std::optional<std::uint32_t> i = task.first; i; i = log.inspection.attempts()[*i].next) {
        ++number;
        const InspectedAttempt& attempt = log.inspection.attempts()[*i];
        if (!attempt.has_measured) continue;
        auto measured = read_measured(log, attempt);
        if (!measured) return measured.error();
        text +=
            concat(text.empty() ? "\n" : "", "attempt ", number, " took: ", measured_text(*measured), "\n");
    }
    return text;
}

base::Result<std::string> reused_line(const InspectedLog& log, const InspectedTask& task) {
    const InspectedAttempt& attempt = log.inspection.attempts()[task.last];
    if (!attempt.is_reused) return std::string();
    auto reused = read_reused(log, attempt);
    if (!reused) return reused.error();
    return concat("\nreused   from task ", reused->task.value, " of run ", printable(reused->run_id));
}

base::Result<std::string> answered_line(const InspectedLog& log, const InspectedTask& task) {
    const InspectedAttempt& attempt = log.inspection.attempts()[task.last];
    if (!attempt.is_answered) return std::string();
    auto user = read_answered_by(log, attempt);
    if (!user) return user.error();
    return concat("\nanswered by ", printable(*user));
}

base::Result<std::string> value_text(const InspectedLog& log, const InspectedTask& task) {
    auto value = read_value(log, task);
    if (!value) return value.error();
    std::string text = clipped(**value, value_length);
    if (text != printable(**value)) text += concat(" (", size_text((*value)->size()), "; --json shows all)");
    return text;
}

std::string child_table(const InspectedLog& log, std::uint32_t index) {
    auto children = children_of(log.inspection, index);
    if (children.empty()) return "";
    Table table({{"task", Align::right}, {"step"}, {"attempts", Align::right}, {"state"}});
    for (std::size_t i = 0; i < std::min(children.size(), children_shown); ++i) {
        const InspectedTask& child = log.inspection.tasks()[children[i]];
        table.add({std::to_string(log.inspection.last_id(child).value), step_label(log, child),
                   std::to_string(child.attempts), state_of(child)});
    }
    std::string text = concat("\nchildren (", children.size(), ")\n", table_text(table, "  "));
    if (children.size() > children_shown)
        text += concat("  … and ", children.size() - children_shown, " more (--json shows all)\n");
    return text;
}

}  // namespace

base::Result<std::string> task_text(const InspectedLog& log, std::uint32_t index) {
    const InspectedTask& task = log.inspection.tasks()[index];
    auto value = value_text(log, task);
    if (!value) return value;
    auto failures = failure_texts(log, task);
    if (!failures) return failures;
    auto reports = report_lines(log, task);
    if (!reports) return reports;
    auto measured = measured_lines(log, task);
    if (!measured) return measured;
    auto reused = reused_line(log, task);
    if (!reused) return reused;
    auto answered = answered_line(log, task);
    if (!answered) return answered;
    std::string text = concat(name_of(log, task), ": ", state_of(task), "\norigin   ", origin_of(log, task),
                              *reused, *answered);
    if (has_finally(log, task)) text += "\nfinally  " + finally_of(log, task);
    return concat(text, "\nvalue    ", *value, "\n", attempt_table(log, task), *measured, *reports, *failures,
                  child_table(log, index));
}

}  // namespace inspect
