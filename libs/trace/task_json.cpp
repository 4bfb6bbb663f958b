#include "trace/task_json.hpp"

#include "base/text_parts.hpp"
#include "statelog/entry_json.hpp"
#include "trace/json_pieces.hpp"
#include "trace/read_entry.hpp"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

namespace trace {

namespace {

using base::Result;
using workflow::TaskCompleted;
using workflow::TaskSubmitted;

// What the functions below need; consists of references only.
struct Writer {
    std::string& out;
    const Trace& trace;
    const ReadLine& read_line;
    const TaskJsonOptions& options;

    // A member whose text may be cut.
    void append_text(std::string_view name, std::string_view text) const {
        std::string_view shown = base::cut_to(text, options.most_text);
        append(out, ",\"", name, "\":", json::quote(shown));
        if (shown.size() < text.size()) append(out, ",\"", name, "_left_out\":", text.size() - shown.size());
    }
    std::string row_or_null(Row row) const {
        if (row != absent && options.renumber) row = options.renumber(row);
        return row == absent ? "null" : std::to_string(row);
    }
};

// What came with the end of an attempt beside its outcome.
void append_additions(std::string& out, const TaskCompleted& entry) {
    append(out, ",\"agent\":", entry.agent ? json::quote(*entry.agent) : "null",
           ",\"report\":", entry.report ? to_json(*entry.report) : "null");
    append(out, ",\"measured\":");
    if (entry.measured)
        append(out, "{", statelog::measured_members(*entry.measured),
               ",\"peak_bytes\":", number_or_null(entry.measured->peak_memory), "}");
    else
        append(out, "null");
    append(out, ",\"reused\":");
    if (entry.reused)
        append(out, "{\"run\":", json::quote(entry.reused->run_id), ",\"task\":", entry.reused->task.value,
               "}");
    else
        append(out, "null");
    append(out, ",\"answered_by\":", entry.answered ? json::quote(entry.answered->user) : "null",
           ",\"lenient\":", truth(entry.is_lenient));
}

void append_failure(const Writer& writer, workflow::Failure failure) {
    std::string_view message = base::cut_to(failure.message, writer.options.most_text);
    std::size_t left_out = failure.message.size() - message.size();
    failure.message.resize(message.size());
    append(writer.out, ",\"failure\":{", statelog::failure_members(failure));
    if (left_out > 0) append(writer.out, ",\"message_left_out\":", left_out);
    append(writer.out, "}");
    if (failure.response)
        writer.append_text("response", *failure.response);
    else
        append(writer.out, ",\"response\":null");
}

// The response of an attempt that has succeeded, put together from its children; "" if it is too large.
Result<std::string> response_of(const Writer& writer, const Completion& completion) {
    if (completion.children > max_response_tasks) return std::string();
    std::string response = "[";
    for (std::uint32_t i = 0; i < completion.children; ++i) {
        auto child = read_entry<TaskSubmitted>(writer.trace, writer.read_line,
                                               writer.trace.attempt(completion.first_child + i).offset);
        if (!child) return child.error();
        append(response, i == 0 ? "" : ",",
               "{\"kind\":", json::quote(writer.trace.config()->step(child->step).name),
               ",\"value\":", *child->value, "}");
        if (response.size() > std::min(max_response_bytes, writer.options.most_text)) return std::string();
    }
    return response + "]";
}

Result<void> append_outcome(const Writer& writer, const Completion& completion, const TaskCompleted& entry) {
    if (const auto* failed = std::get_if<workflow::Failed>(&entry.outcome)) {
        append_failure(writer, failed->failure());
        return {};
    }
    auto response = response_of(writer, completion);
    if (!response) return response.error();
    append(writer.out, ",\"failure\":null,\"response\":", text_or_null(*response));
    return {};
}

Result<void> append_end(const Writer& writer, std::uint32_t index) {
    Completion completion = writer.trace.completion(index);
    auto entry = read_entry<TaskCompleted>(writer.trace, writer.read_line, completion.offset);
    if (!entry) return entry.error();
    append(writer.out, ",\"started\":", number(completion.started), ",\"ended\":", number(completion.ended),
           ",\"outcome\":\"", outcome_name(completion.outcome), "\"");
    auto appended = append_outcome(writer, completion, *entry);
    append_additions(writer.out, *entry);
    return appended;
}

Result<void> append_attempt(const Writer& writer, Row row, std::uint32_t number_of_attempt) {
    Attempt attempt = writer.trace.attempt(row);
    append(writer.out, "{\"row\":", writer.row_or_null(row), ",\"id\":", attempt.id,
           ",\"attempt\":", number_of_attempt, ",\"submitted\":", number(attempt.submitted));
    if (attempt.completion != absent) {
        if (auto appended = append_end(writer, attempt.completion); !appended) return appended;
    } else {
        append(writer.out,
               ",\"started\":null,\"ended\":null,\"outcome\":null,\"failure\":null,"
               "\"response\":null,\"agent\":null,\"report\":null,\"measured\":null,\"reused\":null,"
               "\"answered_by\":null,\"lenient\":false");
    }
    append(writer.out, "}");
    return {};
}

Result<void> append_attempts(const Writer& writer, Row first) {
    append(writer.out, ",\"attempts\":[");
    std::uint32_t number_of_attempt = 0;
    for (Row row = first; row != absent; row = writer.trace.attempt(row).next) {
        append(writer.out, number_of_attempt == 0 ? "" : ",");
        if (auto appended = append_attempt(writer, row, ++number_of_attempt); !appended) return appended;
    }
    append(writer.out, "]");
    return {};
}

// Appends the children that are shown, each by the last row of its task.
void append_children(const Writer& writer, const Attempt& last) {
    Completion completion;
    if (last.completion != absent) completion = writer.trace.completion(last.completion);
    append(writer.out, ",\"children\":[");
    std::string_view before;
    for (std::uint32_t i = 0; i < std::min(completion.children, max_children_shown); ++i) {
        Row child = writer.trace.last_of(completion.first_child + i);
        if (writer.options.renumber) child = writer.options.renumber(child);
        if (child == absent) continue;
        append(writer.out, std::exchange(before, ","), child);
    }
    append(writer.out, "],\"children_count\":", completion.children);
}

}  // namespace

std::string_view state_name(const Trace& trace, Row row) {
    Attempt last = trace.attempt(trace.last_of(row));
    if (last.completion != absent) {
        Outcome outcome = trace.completion(last.completion).outcome;
        return outcome == Outcome::succeeded ? "done" : outcome == Outcome::dropped ? "dropped" : "waiting";
    }
    return !last.is_finally && trace.config()->steps[last.step].is_human() ? "human" : "waiting";
}

Result<void> append_task(std::string& out, const Trace& trace, const ReadLine& read_line, Row row,
                         const TaskJsonOptions& options) {
    if (row >= trace.position().rows) return base::invalid(base::concat("the log has no row ", row));
    Writer writer{out, trace, read_line, options};
    Row last_row = trace.last_of(row);
    Row first_row = trace.first_of(row);
    Attempt last = trace.attempt(last_row);
    auto submitted = read_entry<TaskSubmitted>(trace, read_line, trace.attempt(first_row).offset);
    if (!submitted) return submitted.error();
    append(out, "{\"row\":", writer.row_or_null(last_row), ",\"id\":", last.id,
           ",\"step\":", json::quote(trace.config()->steps[last.step].name),
           ",\"finally\":", truth(last.is_finally), ",\"state\":\"",
           options.state.empty() ? state_name(trace, last_row) : options.state,
           "\",\"parent\":", writer.row_or_null(last.parent));
    append_children(writer, last);
    writer.append_text("value", *submitted->value);
    return append_attempts(writer, first_row);
}

Result<std::string> task_json(const Trace& trace, const ReadLine& read_line, Row row,
                              const TaskJsonOptions& options) {
    std::string out;
    if (auto appended = append_task(out, trace, read_line, row, options); !appended) return appended.error();
    return out + "}";
}

}  // namespace trace
