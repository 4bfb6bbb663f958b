#include "statelog/record.hpp"

#include "base/system_time.hpp"
#include "base/text.hpp"
#include "json/byte_members.hpp"
#include "json/escape.hpp"
#include "json/json.hpp"
#include "statelog/line_checksum.hpp"

#include <array>
#include <utility>

namespace statelog {

namespace {

using base::append_piece;
using workflow::Failure;
using workflow::TaskId;

template<class... Pieces>
void append(std::string& out, const Pieces&... pieces) {
    (append_piece(out, pieces), ...);
}

// `key` includes the comma before it and the colon.
void append_optional(std::string& out, std::string_view key, const std::optional<TaskId>& id) {
    if (id)
        append(out, key, id->value);
    else
        append(out, key, "null");
}

void append_ids(std::string& out, const std::vector<TaskId>& ids) {
    char before = '[';
    for (TaskId id : ids)
        append(out, std::exchange(before, ','), id.value);
    if (ids.empty()) append(out, '[');
    append(out, ']');
}

struct OriginWriter {
    std::string& out;

    void operator()(const workflow::Initial&) const { append(out, "\"Initial\""); }
    void operator()(const workflow::Spawned&) const { append(out, "\"Spawned\""); }
    void operator()(const workflow::Retry& origin) const {
        append(out, "{\"Retry\":{\"replaces\":", origin.replaces.value, "}}");
    }
    void operator()(const workflow::Finally& origin) const {
        append(out, "{\"Finally\":{\"finally_for\":", origin.finally_for.value, "}}");
    }
};

void append_reason(std::string& out, const Failure& failure) {
    append(out, "{\"kind\":\"", reason_name(failure.kind), "\"");
    if (failure.exit_code) append(out, ",\"exit_code\":", *failure.exit_code);
    if (failure.signal) append(out, ",\"signal\":", *failure.signal);
    if (!failure.hook.empty()) append(out, ",\"hook\":", json::quote(failure.hook));
    if (!failure.name.empty()) append(out, ",\"failure\":", json::quote(failure.name));
    if (failure.is_permanent) append(out, ",\"permanent\":true");
    if (!failure.message.empty()) append(out, ",\"message\":", json::quote(failure.message));
    if (failure.response) append(out, ",\"response\":", json::quote(*failure.response));
    append(out, '}');
}

struct OutcomeWriter {
    std::string& out;

    void operator()(const workflow::Succeeded& outcome) const {
        append(out, "{\"kind\":\"Success\",\"value\":{\"spawned_task_ids\":");
        append_ids(out, outcome.spawned);
        append(out, "}}");
    }
    void operator()(const workflow::Failed& outcome) const {
        append(out, "{\"kind\":\"Failed\",\"value\":{\"reason\":");
        append_reason(out, outcome.failure());
        append_optional(out, ",\"retry_task_id\":", outcome.retry);
        append(out, "}}");
    }
};

void append_measured(std::string& out, const workflow::Measured& measured) {
    append(out, ",\"measured\":{\"cpu_ms\":", measured.cpu.count());
    if (measured.peak_memory) append(out, ",\"peak_memory_bytes\":", *measured.peak_memory);
    if (measured.pre) append(out, ",\"pre_ms\":", measured.pre->count());
    if (measured.action) append(out, ",\"action_ms\":", measured.action->count());
    if (measured.post) append(out, ",\"post_ms\":", measured.post->count());
    append(out, '}');
}

void append_up_to_value(std::string& out, const config::WorkflowConfig& config,
                        const workflow::TaskSubmitted& entry) {
    append(out, "{\"kind\":\"TaskSubmitted\",\"task_id\":", entry.task.value, ",\"step\":");
    json::append_quoted(out, config.step(entry.step).name);
    append(out, ",\"value\":");
}

void append_from_value_on(std::string& out, const workflow::TaskSubmitted& entry) {
    append_optional(out, ",\"parent_id\":", entry.parent);
    append(out, ",\"origin\":");
    std::visit(OriginWriter{out}, entry.origin);
}

struct EntryWriter {
    std::string& out;
    const config::WorkflowConfig& config;

    void operator()(const workflow::TaskSubmitted& entry) const {
        // Reserved at once, because growing the string after a large value was appended would double its
        // memory.
        constexpr std::size_t beside_the_value = 512;
        out.reserve(out.size() + entry.value->size() + beside_the_value);
        append_up_to_value(out, config, entry);
        append(out, *entry.value);
        append_from_value_on(out, entry);
    }
    void operator()(const workflow::TaskCompleted& entry) const {
        append(out, "{\"kind\":\"TaskCompleted\",\"task_id\":", entry.task.value, ",\"outcome\":");
        std::visit(OutcomeWriter{out}, entry.outcome);
        if (entry.report) append(out, ",\"report\":", to_json(*entry.report));
        if (entry.reused)
            append(out, ",\"reused\":{\"run_id\":", json::quote(entry.reused->run_id),
                   ",\"task_id\":", entry.reused->task.value, "}");
        if (entry.is_lenient) append(out, ",\"lenient\":true");
        if (entry.answered) append(out, ",\"answered_by\":", json::quote(entry.answered->user));
        if (entry.measured) append_measured(out, *entry.measured);
        if (entry.agent) append(out, ",\"agent\":", json::quote_beginning(*entry.agent, longest_agent));
    }
};

void append_time(std::string& out, std::string_view key, const std::optional<Time>& time) {
    if (time) append(out, key, time->time_since_epoch().count());
}

}  // namespace

Time now() {
    return base::system_time();
}

std::string_view reason_name(Failure::Kind kind) {
    switch (kind) {
        case Failure::Kind::timeout:
            return "Timeout";
        case Failure::Kind::agent_lost:
            return "AgentLost";
        case Failure::Kind::agent_failed:
            return "AgentFailed";
        case Failure::Kind::invalid_response:
            return "InvalidResponse";
        case Failure::Kind::hook_failed:
            return "HookFailed";
        case Failure::Kind::past_bound:
            return "PastBound";
        case Failure::Kind::rejected:
            return "Rejected";
        case Failure::Kind::expired:
            return "Expired";
        case Failure::Kind::command_failed:
            break;
    }
    return "CommandFailed";
}

void append_header(std::string& out, const Header& header, Time time) {
    std::size_t begin = out.size();
    append(out, "{\"kind\":\"Config\",\"config\":", header.config, ",",
           json::byte_member("directory", header.directory), ",\"run_id\":", json::quote(header.run_id));
    if (header.initial_tasks) append(out, ",\"initial_tasks\":", *header.initial_tasks);
    if (header.reuses)
        append(out, ",\"reuses\":{\"run_id\":", json::quote(header.reuses->run_id), ",",
               json::byte_member("state_log", header.reuses->state_log), "}");
    append(out, ",\"format\":", log_format);
    if (!header.version.empty()) append(out, ",\"version\":", json::quote(header.version));
    append_time(out, ",\"time\":", time);
    end_line(out, begin);
}

void append_record(std::string& out, const config::WorkflowConfig& config, const workflow::Entry& entry,
                   Time time, std::optional<Time> started) {
    std::size_t begin = out.size();
    std::visit(EntryWriter{out, config}, entry);
    append_time(out, ",\"started\":", started);
    append_time(out, ",\"time\":", time);
    end_line(out, begin);
}

base::SplicedText long_record(std::string before, const config::WorkflowConfig& config,
                              const workflow::TaskSubmitted& entry, Time time) {
    std::size_t begin = before.size();
    append_up_to_value(before, config, entry);
    std::string after;
    append_from_value_on(after, entry);
    append_time(after, ",\"time\":", time);
    after += line_end(
        std::array<std::string_view, 3>{std::string_view(before).substr(begin), *entry.value, after});
    return {std::move(before), entry.value, std::move(after)};
}

}  // namespace statelog
