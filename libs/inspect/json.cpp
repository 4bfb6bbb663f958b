#include "json/json.hpp"

#include "base/text.hpp"
#include "inspect/report.hpp"
#include "json/byte_members.hpp"
#include "statelog/entry_json.hpp"

#include <ostream>
#include <utility>
#include <vector>

namespace inspect {

namespace {

using base::append_piece;
using Outcome = InspectedAttempt::Outcome;
using State = InspectedTask::State;

template<class... Pieces>
void append(std::string& out, const Pieces&... pieces) {
    (append_piece(out, pieces), ...);
}

std::string number(std::optional<std::int64_t> value) {
    return value ? std::to_string(*value) : "null";
}

std::string number(std::optional<statelog::Time> time) {
    return time ? std::to_string(time->time_since_epoch().count()) : "null";
}

std::string number(std::optional<std::chrono::milliseconds> duration) {
    return duration ? std::to_string(duration->count()) : "null";
}

std::string id_of(const InspectedLog& log, std::optional<std::uint32_t> task) {
    return task ? std::to_string(log.inspection.last_id(log.inspection.tasks()[*task]).value) : "null";
}

std::string text_or_null(const std::string& text) {
    return text.empty() ? "null" : json::quote(text);
}

std::string asked_tasks(const InspectedLog& log) {
    std::string text;
    for (workflow::TaskId task : log.replay.state().asked)
        append(text, text.empty() ? "[" : ",", task.value);
    return text.empty() ? "[]" : text + "]";
}

void append_head(std::string& out, const InspectedLog& log) {
    const statelog::Header& header = log.replay.header();
    append(out, "{\n", json::byte_member("log", log.path), ",\n\"run_id\":", text_or_null(header.run_id),
           ",\n",
           header.directory.empty() ? "\"directory\":null" : json::byte_member("directory", header.directory),
           ",\n\"status\":\"", status_name(log.status()), "\",\n\"holders\":[");
    for (std::size_t i = 0; i < log.holders.size(); ++i)
        append(out, i == 0 ? "" : ",", log.holders[i]);
    bool can_resume = log.status() == InspectedLog::Status::stopped && log.later.empty();
    std::string_view torn = log.tail.torn_group ? "\"group\"" : log.tail.torn_line ? "\"entry\"" : "null";
    append(out, "],\n\"waiting_for_human\":", asked_tasks(log),
           ",\n\"resume\":", can_resume ? json::quote(log.resume) : "null",
           ",\n\"committed_bytes\":", log.tail.committed_bytes,
           ",\n\"dropped_bytes\":", log.tail.dropped_bytes, ",\n\"torn\":", torn,
           ",\n\"first_time\":", number(log.inspection.first_time()),
           ",\n\"last_time\":", number(log.inspection.last_time()));
}

void append_steps(std::string& out, const InspectedLog& log) {
    char before = '[';
    append(out, ",\n\"steps\":");
    for (const StepSummary& row : log.inspection.summarise(*log.replay.config())) {
        std::optional<std::chrono::milliseconds> mean;
        std::optional<std::chrono::milliseconds> longest;
        if (row.timed > 0) {
            mean = row.total / static_cast<std::int64_t>(row.timed);
            longest = row.longest;
        }
        append(out, std::exchange(before, ','),
               "\n{\"step\":", json::quote(log.replay.config()->step(row.step).name),
               ",\"is_finally\":", row.is_finally ? "true" : "false", ",\"pending\":", row.pending,
               ",\"waiting\":", row.waiting, ",\"done\":", row.done, ",\"dropped\":", row.dropped,
               ",\"retried\":", row.retried, ",\"mean_ms\":", number(mean),
               ",\"longest_ms\":", number(longest), "}");
    }
    append(out, before == '[' ? "[]" : "]");
}

std::string_view outcome_name(Outcome outcome) {
    switch (outcome) {
        case Outcome::succeeded:
            return "\"succeeded\"";
        case Outcome::failed:
            return "\"failed\"";
        case Outcome::none:
            break;
    }
    return "null";
}

base::Result<void> append_reused(std::string& out, const InspectedLog& log, const InspectedAttempt& attempt) {
    if (!attempt.is_reused) {
        append(out, ",\"reused\":null");
        return {};
    }
    auto reused = read_reused(log, attempt);
    if (!reused) return reused.error();
    append(out, ",\"reused\":{\"run_id\":", json::quote(reused->run_id), ",\"task_id\":", reused->task.value,
           "}");
    return {};
}

base::Result<void> append_answered_by(std::string& out, const InspectedLog& log,
                                      const InspectedAttempt& attempt) {
    append(out, ",\"answered_by\":");
    if (!attempt.is_answered) {
        append(out, "null");
        return {};
    }
    auto user = read_answered_by(log, attempt);
    if (!user) return user.error();
    append(out, json::quote(*user));
    return {};
}

base::Result<void> append_agent(std::string& out, const InspectedLog& log, const InspectedAttempt& attempt) {
    append(out, ",\"agent\":");
    if (!attempt.has_agent) {
        append(out, "null");
        return {};
    }
    auto agent = read_agent(log, attempt);
    if (!agent) return agent.error();
    append(out, json::quote(*agent));
    return {};
}

base::Result<void> append_measured(std::string& out, const InspectedLog& log,
                                   const InspectedAttempt& attempt) {
    append(out, ",\"measured\":");
    if (!attempt.has_measured) {
        append(out, "null");
        return {};
    }
    auto measured = read_measured(log, attempt);
    if (!measured) return measured.error();
    append(out, "{", statelog::measured_members(*measured),
           ",\"peak_memory_bytes\":", number(measured->peak_memory), "}");
    return {};
}

base::Result<void> append_report(std::string& out, const InspectedLog& log, const InspectedAttempt& attempt) {
    append(out, ",\"report\":");
    if (!attempt.has_report) {
        append(out, "null}");
        return {};
    }
    auto report = read_report(log, attempt);
    if (!report) return report.error();
    append(out, to_json(*report), "}");
    return {};
}

base::Result<void> append_attempt(std::string& out, const InspectedLog& log,
                                  const InspectedAttempt& attempt) {
    append(out, "{\"id\":", attempt.id.value, ",\"submitted\":", number(attempt.submitted),
           ",\"started\":", number(attempt.started), ",\"ended\":", number(attempt.ended),
           ",\"duration_ms\":", number(attempt.duration()), ",\"outcome\":", outcome_name(attempt.outcome),
           ",\"lenient\":", attempt.is_lenient ? "true" : "false");
    if (auto appended = append_reused(out, log, attempt); !appended) return appended;
    if (auto appended = append_answered_by(out, log, attempt); !appended) return appended;
    if (auto appended = append_agent(out, log, attempt); !appended) return appended;
    if (auto appended = append_measured(out, log, attempt); !appended) return appended;
    append(out, ",\"failure\":");
    if (attempt.outcome != Outcome::failed) {
        append(out, "null");
        return append_report(out, log, attempt);
    }
    auto failure = read_failure(log, attempt);
    if (!failure) return failure.error();
    append(out, "{", statelog::failure_members(*failure),
           ",\"response\":", failure->response ? json::quote(*failure->response) : "null", "}");
    return append_report(out, log, attempt);
}

base::Result<void> append_attempts(std::string& out, const InspectedLog& log, const InspectedTask& task) {
    append(out, ",\"attempts\":");
    char before = '[';
    for (std::optional<std::uint32_t> i = task.first; i; i = log.inspection.attempts()[*i].next) {
        append(out, std::exchange(before, ','));
        auto appended = append_attempt(out, log, log.inspection.attempts()[*i]);
        if (!appended) return appended;
    }
    append(out, ']');
    return {};
}

std::string_view origin_name(InspectedTask::Origin origin) {
    switch (origin) {
        case InspectedTask::Origin::initial:
            return "Initial";
        case InspectedTask::Origin::finally:
            return "Finally";
        case InspectedTask::Origin::spawned:
            break;
    }
    return "Spawned";
}

void append_finally(std::string& out, const InspectedLog& log, const InspectedTask& task) {
    append(out, ",\"finally\":");
    if (!has_finally(log, task)) return append(out, "null");
    std::string_view state = task.finally_due ? "due" : "later";
    if (task.finally) state = state_name(log.inspection.tasks()[*task.finally].state);
    append(out, "{\"id\":", id_of(log, task.finally), ",\"state\":\"", state, "\"}");
}

base::Result<void> append_task(std::string& out, const InspectedLog& log, const InspectedTask& task) {
    append(out, "{\"id\":", log.inspection.last_id(task).value,
           ",\"step\":", json::quote(log.replay.config()->step(task.step).name), ",\"state\":\"",
           state_name(task.state), "\",\"origin\":\"", origin_name(task.origin),
           "\",\"parent_id\":", task.parent ? std::to_string(task.parent->value) : "null",
           ",\"finally_for\":", id_of(log, task.finally_for), ",\"waits_for\":", task.waits_for);
    append_finally(out, log, task);
    auto value = read_value(log, task);
    if (!value) return value.error();
    append(out, ",\"value\":", **value);
    return append_attempts(out, log, task);
}

// The fields that a task has only if it is the only one in the output.
void append_children(std::string& out, const InspectedLog& log, std::uint32_t index) {
    append(out, ",\"children\":[");
    bool first = true;
    for (std::uint32_t i : children_of(log.inspection, index)) {
        const InspectedTask& child = log.inspection.tasks()[i];
        append(out, std::exchange(first, false) ? "" : ",", "{\"id\":", log.inspection.last_id(child).value,
               ",\"step\":", json::quote(log.replay.config()->step(child.step).name), ",\"state\":\"",
               state_name(child.state), "\"}");
    }
    append(out, ']');
}

}  // namespace

// The tasks are written one by one, because there may be a million.
base::Result<void> write_json(std::ostream& out, const InspectedLog& log, std::optional<std::uint32_t> only) {
    std::string text;
    append_head(text, log);
    append_steps(text, log);
    append(text, ",\n\"usage\":", statelog::usage_json(log.replay.whole_usage(), *log.replay.config()));
    out << text << ",\n\"tasks\":[";
    const auto& tasks = log.inspection.tasks();
    auto from = only ? *only : 0;
    auto to = only ? *only + 1 : static_cast<std::uint32_t>(tasks.size());
    for (std::uint32_t i = from; i < to && out; ++i) {
        text = i == from ? "\n" : ",\n";
        if (auto appended = append_task(text, log, tasks[i]); !appended) return appended;
        if (only) append_children(text, log, i);
        out << text << "}";
    }
    out << "\n]\n}\n";
    return {};
}

}  // namespace inspect
