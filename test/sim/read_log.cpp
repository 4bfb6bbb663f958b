#include "read_log.hpp"

#include <boost/json.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace sim {

namespace {

namespace bj = boost::json;
using workflow::Entry;
using workflow::Failure;
using workflow::TaskId;

// Of a line.
struct NotUnderstood : std::exception {};

bj::value parse(std::string_view text) {
    bj::parse_options options;
    options.max_depth = 600;
    bj::error_code code;
    bj::value value = bj::parse({text.data(), text.size()}, code, {}, options);
    if (code) throw NotUnderstood();
    return value;
}

const bj::value& field(const bj::value& object, const char* name) {
    const bj::value* found = object.is_object() ? object.get_object().if_contains(name) : nullptr;
    if (!found) throw NotUnderstood();
    return *found;
}

std::string_view text(const bj::value& value) {
    if (!value.is_string()) throw NotUnderstood();
    return {value.get_string().data(), value.get_string().size()};
}

TaskId id(const bj::value& value) {
    if (!value.is_int64() || value.get_int64() < 0) throw NotUnderstood();
    return {static_cast<std::uint64_t>(value.get_int64())};
}

std::optional<TaskId> optional_id(const bj::value& object, const char* name) {
    const bj::value* found = object.is_object() ? object.get_object().if_contains(name) : nullptr;
    if (!found || found->is_null()) return std::nullopt;
    return id(*found);
}

workflow::Origin origin(const bj::value& value) {
    if (value == "Initial") return workflow::Initial{};
    if (value == "Spawned") return workflow::Spawned{};
    if (value.is_object() && value.get_object().contains("Retry"))
        return workflow::Retry{id(field(field(value, "Retry"), "replaces"))};
    return workflow::Finally{id(field(field(value, "Finally"), "finally_for"))};
}

workflow::TaskSubmitted submitted(const config::WorkflowConfig& config, const bj::value& line) {
    auto step = config.find(std::string(text(field(line, "step"))));
    if (!step) throw NotUnderstood();
    auto value = std::make_shared<const std::string>(bj::serialize(field(line, "value")));
    return {id(field(line, "task_id")), *step, std::move(value), optional_id(line, "parent_id"),
            origin(field(line, "origin"))};
}

// As far as it is told to the next attempt.
Failure failure(const bj::value& reason) {
    Failure failure;
    const bj::value* message = reason.get_object().if_contains("message");
    const bj::value* response = reason.get_object().if_contains("response");
    if (message && message->is_string()) failure.message = text(*message);
    if (response && response->is_string()) failure.response = text(*response);
    if (text(field(reason, "kind")) == "PastBound") failure.kind = Failure::Kind::past_bound;
    return failure;
}

workflow::TaskCompleted completed(const bj::value& line) {
    TaskId task = id(field(line, "task_id"));
    std::string_view kind = text(field(field(line, "outcome"), "kind"));
    const bj::value& value = field(field(line, "outcome"), "value");
    if (kind == "Success") {
        workflow::Succeeded succeeded;
        const bj::value& ids = field(value, "spawned_task_ids");
        if (!ids.is_array()) throw NotUnderstood();
        for (const bj::value& child : ids.get_array())
            succeeded.spawned.push_back(id(child));
        return {task, std::move(succeeded)};
    }
    if (kind != "Failed") throw NotUnderstood();
    std::string_view reason = text(field(field(value, "reason"), "kind"));
    for (std::string_view known : {"Timeout", "AgentLost", "AgentFailed", "InvalidResponse", "CommandFailed",
                                   "HookFailed", "PastBound", "Rejected", "Expired"})
        if (reason == known)
            return {task,
                    workflow::Failed{failure(field(value, "reason")), optional_id(value, "retry_task_id")}};
    throw NotUnderstood();
}

Entry entry(const config::WorkflowConfig& config, std::string_view text_of_line) {
    bj::value line = parse(text_of_line);
    std::string_view kind = text(field(line, "kind"));
    if (kind == "TaskSubmitted") return submitted(config, line);
    if (kind == "TaskCompleted") return completed(line);
    throw NotUnderstood();
}

class Reader {
  public:
    Reader(const config::WorkflowConfig& config, std::string_view text_of_log)
        : config_(config), text_(text_of_log), verdict_{0, "", 0, LogModel(config)} {}

    Verdict read() {
        std::size_t end = text_.find('\n');
        bj::value header = parse(text_.substr(0, end));
        verdict_.committed_bytes = at_ = end + 1;
        std::size_t line = 2;
        for (; (end = text_.find('\n', at_)) != std::string_view::npos && verdict_.refused_at == 0; ++line)
            take(line, end);
        const bj::value* initial = header.get_object().if_contains("initial_tasks");
        if (verdict_.refused_at == 0 && initial && initial->is_int64() && initial_ < initial->get_int64())
            refuse(line, "it was not born whole");
        verdict_.model = committed_;
        return std::move(verdict_);
    }

  private:
    void take(std::size_t line, std::size_t end) {
        try {
            Entry read = entry(config_, text_.substr(at_, end - at_));
            if (const char* rule = verdict_.model.add(read)) return refuse(line, rule);
            const auto* submitted = std::get_if<workflow::TaskSubmitted>(&read);
            if (submitted && std::holds_alternative<workflow::Initial>(submitted->origin)) ++initial_;
        } catch (const NotUnderstood&) {
            return refuse(line, "it is not understood");
        }
        at_ = end + 1;
        if (!verdict_.model.is_torn()) {
            verdict_.committed_bytes = at_;
            committed_ = verdict_.model;
        }
    }

    void refuse(std::size_t line, const char* why) {
        verdict_.refused_at = line;
        verdict_.why = why;
    }

    const config::WorkflowConfig& config_;
    std::string_view text_;
    Verdict verdict_;
    LogModel committed_{config_};
    std::size_t at_ = 0;
    std::int64_t initial_ = 0;
};

}  // namespace

Verdict read_log(const config::WorkflowConfig& config, std::string_view text_of_log) {
    return Reader(config, text_of_log).read();
}

std::string canonical(std::string_view json) {
    return bj::serialize(parse(json));
}

}  // namespace sim
