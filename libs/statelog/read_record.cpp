#include "base/text.hpp"
#include "json/byte_members.hpp"
#include "json/json.hpp"
#include "json/members.hpp"
#include "statelog/line_checksum.hpp"
#include "statelog/line_fields.hpp"
#include "statelog/record.hpp"

#include <algorithm>
#include <memory>

namespace statelog {

namespace {

using base::Result;
using json::Kind;
using json::View;
using workflow::Failure;
using workflow::TaskId;

// Limits ids so that later ones fit an int64.
constexpr std::int64_t max_id = std::int64_t{1} << 62;

std::optional<std::uint64_t> number(View field) {
    auto value = is_present(field) ? field.integer() : std::nullopt;
    if (!value || *value < 0 || *value > max_id) return std::nullopt;
    return static_cast<std::uint64_t>(*value);
}

Result<TaskId> task_id(View field, std::string_view name) {
    if (auto id = number(field)) return TaskId{*id};
    return base::invalid(base::concat("has no task number in \"", name, "\""));
}

Result<std::optional<TaskId>> optional_task_id(View field, std::string_view name) {
    if (!is_present(field) || field.is(Kind::null)) return std::optional<TaskId>();
    auto id = task_id(field, name);
    if (!id) return id.error();
    return std::optional(*id);
}

std::optional<Time> time_of(View field) {
    auto value = is_present(field) ? field.integer() : std::nullopt;
    if (!value) return std::nullopt;
    return Time(std::chrono::milliseconds(*value));
}

// The number inside {"Retry":{"replaces":2}}, if there is one.
std::optional<View> inner(View origin, std::string_view kind, std::string_view name) {
    auto outer = origin.find(kind);
    return outer ? outer->find(name) : std::nullopt;
}

Result<workflow::Origin> read_origin(View origin) {
    if (origin.is_string("Initial")) return workflow::Origin(workflow::Initial{});
    if (origin.is_string("Spawned")) return workflow::Origin(workflow::Spawned{});
    if (auto replaces = inner(origin, "Retry", "replaces")) {
        auto id = task_id(*replaces, "replaces");
        if (!id) return id.error();
        return workflow::Origin(workflow::Retry{*id});
    }
    if (auto owner = inner(origin, "Finally", "finally_for")) {
        auto id = task_id(*owner, "finally_for");
        if (!id) return id.error();
        return workflow::Origin(workflow::Finally{*id});
    }
    return base::invalid(base::concat("has an unknown origin: ", origin.text()));
}

// Values are compact, unless another program has written the log.
workflow::Value read_value(View value) {
    bool has_space = std::ranges::any_of(value.text(), json::is_space);
    return std::make_shared<const std::string>(has_space ? json::compact(value) : std::string(value.text()));
}

Result<config::StepId> read_step(const config::WorkflowConfig& config, View field) {
    if (!field.is(Kind::string)) return base::invalid("has no \"step\"");
    auto step = config.find(field.string());
    if (!step) return base::invalid(base::concat("names a step that is not in the config: ", field.text()));
    return *step;
}

Result<workflow::Entry> read_submitted(const config::WorkflowConfig& config, const Fields& fields) {
    auto task = task_id(fields.task_id, "task_id");
    if (!task) return task.error();
    auto step = read_step(config, fields.step);
    if (!step) return step.error();
    if (!is_present(fields.value)) return base::invalid("has no \"value\"");
    auto parent = optional_task_id(fields.parent_id, "parent_id");
    if (!parent) return parent.error();
    auto origin = read_origin(fields.origin);
    if (!origin) return origin.error();
    return workflow::Entry(workflow::TaskSubmitted{*task, *step, read_value(fields.value), *parent, *origin});
}

Result<Failure::Kind> read_reason_kind(View reason) {
    using enum Failure::Kind;
    auto kind = reason.find("kind");
    for (Failure::Kind known : {timeout, agent_lost, agent_failed, invalid_response, command_failed,
                                hook_failed, past_bound, rejected, expired})
        if (kind && kind->is_string(reason_name(known))) return known;
    return base::invalid(base::concat("has an unknown reason: ", reason.text()));
}

std::string text_of(View object, std::string_view name) {
    auto field = object.find(name);
    return field && field->is(Kind::string) ? field->string() : "";
}

bool is_true(std::optional<View> field) {
    return field && field->is(Kind::boolean) && field->boolean();
}

std::optional<int> small_number(View object, std::string_view name) {
    auto field = object.find(name);
    auto value = field && field->is(Kind::number) ? field->integer() : std::nullopt;
    return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

Result<workflow::Failed> read_failed(View value) {
    auto reason = value.find("reason");
    if (!reason) return base::invalid("has no \"reason\" for a failure");
    auto kind = read_reason_kind(*reason);
    if (!kind) return kind.error();
    auto retry = optional_task_id(value.find("retry_task_id").value_or(View()), "retry_task_id");
    if (!retry) return retry.error();
    Failure failure;
    failure.kind = *kind;
    failure.message = text_of(*reason, "message");
    failure.hook = text_of(*reason, "hook");
    failure.exit_code = small_number(*reason, "exit_code");
    failure.signal = small_number(*reason, "signal");
    failure.name = text_of(*reason, "failure");
    failure.is_permanent = is_true(reason->find("permanent"));
    auto response = reason->find("response");
    if (response && response->is(Kind::string)) failure.response = response->string();
    return workflow::Failed{std::move(failure), *retry};
}

Result<workflow::Succeeded> read_succeeded(View value) {
    auto ids = value.find("spawned_task_ids");
    if (!ids || !ids->is(Kind::array)) return base::invalid("has no \"spawned_task_ids\"");
    workflow::Succeeded outcome;
    for (View element : ids->elements()) {
        auto id = task_id(element, "spawned_task_ids");
        if (!id) return id.error();
        outcome.spawned.push_back(*id);
    }
    return outcome;
}

struct Outcome {
    View kind, value;
};

Outcome parts_of(View outcome) {
    Outcome parts;
    if (!outcome.is(Kind::object)) return parts;
    json::for_each_member(outcome, [&](const json::Member& member) {
        if (member.key.is_string("kind")) parts.kind = member.value;
        if (member.key.is_string("value")) parts.value = member.value;
        return true;
    });
    return parts;
}

// A report that is not valid is a field that this build does not know.
std::shared_ptr<const pool_protocol::AgentReport> report_in(const Fields& fields) {
    if (!is_present(fields.report)) return nullptr;
    auto report = pool_protocol::parse_report(fields.report);
    return report ? std::make_shared<const pool_protocol::AgentReport>(std::move(*report)) : nullptr;
}

// Fields that are not valid are ones that this build does not know.
std::shared_ptr<const workflow::ReusedFrom> reused_in(const Fields& fields) {
    if (!is_present(fields.reused) || !fields.reused.is(Kind::object)) return nullptr;
    auto task = number(fields.reused.find("task_id").value_or(View()));
    if (!task) return nullptr;
    return std::make_shared<const workflow::ReusedFrom>(
        workflow::ReusedFrom{text_of(fields.reused, "run_id"), {*task}});
}

std::shared_ptr<const workflow::AnsweredBy> answered_in(const Fields& fields) {
    if (!is_present(fields.answered_by) || !fields.answered_by.is(Kind::string)) return nullptr;
    return std::make_shared<const workflow::AnsweredBy>(workflow::AnsweredBy{fields.answered_by.string()});
}

std::shared_ptr<const std::string> agent_in(const Fields& fields) {
    if (!is_present(fields.agent) || !fields.agent.is(Kind::string)) return nullptr;
    std::string agent = fields.agent.string();
    if (agent.empty() || agent.size() > longest_agent) return nullptr;
    return std::make_shared<const std::string>(std::move(agent));
}

std::optional<std::chrono::milliseconds> duration_of(View field) {
    auto milliseconds = number(field);
    constexpr std::uint64_t longest = std::uint64_t{1} << 52U;
    if (!milliseconds || *milliseconds > longest) return std::nullopt;
    return std::chrono::milliseconds(*milliseconds);
}

std::shared_ptr<const workflow::Measured> measured_in(const Fields& fields) {
    if (!is_present(fields.measured) || !fields.measured.is(Kind::object)) return nullptr;
    auto measured = std::make_shared<workflow::Measured>();
    json::for_each_member(fields.measured, [&](const json::Member& member) {
        if (member.key.is_string("cpu_ms"))
            measured->cpu = duration_of(member.value).value_or(std::chrono::milliseconds(0));
        if (member.key.is_string("peak_memory_bytes")) measured->peak_memory = number(member.value);
        if (member.key.is_string("pre_ms")) measured->pre = duration_of(member.value);
        if (member.key.is_string("action_ms")) measured->action = duration_of(member.value);
        if (member.key.is_string("post_ms")) measured->post = duration_of(member.value);
        return true;
    });
    return measured;
}

std::optional<Reuses> reuses_in(const Fields& fields) {
    if (!is_present(fields.reuses) || !fields.reuses.is(Kind::object)) return std::nullopt;
    auto log = json::bytes_in(fields.reuses, "state_log");
    if (!log || log->empty()) return std::nullopt;
    return Reuses{text_of(fields.reuses, "run_id"), std::move(*log)};
}

Result<std::variant<workflow::Succeeded, workflow::Failed>> read_outcome(View field) {
    Outcome parts = parts_of(field);
    if (!is_present(parts.kind) || !is_present(parts.value))
        return base::invalid("has no \"outcome\" with \"kind\" and \"value\"");
    if (parts.kind.is_string("Success")) {
        auto outcome = read_succeeded(parts.value);
        if (!outcome) return outcome.error();
        return std::move(*outcome);
    }
    if (!parts.kind.is_string("Failed"))
        return base::invalid(base::concat("has an unknown outcome: ", parts.kind.text()));
    auto outcome = read_failed(parts.value);
    if (!outcome) return outcome.error();
    return std::move(*outcome);
}

Result<workflow::Entry> read_completed(const Fields& fields) {
    auto task = task_id(fields.task_id, "task_id");
    if (!task) return task.error();
    auto outcome = read_outcome(fields.outcome);
    if (!outcome) return outcome.error();
    bool is_lenient = is_present(fields.lenient) && is_true(fields.lenient);
    return workflow::Entry(workflow::TaskCompleted{*task, std::move(*outcome), report_in(fields),
                                                   reused_in(fields), is_lenient, answered_in(fields),
                                                   measured_in(fields), agent_in(fields)});
}

Result<std::string> read_directory(const Fields& fields) {
    if (is_present(fields.directory_hex)) return json::bytes_of_hex(fields.directory_hex, "directory");
    return fields.directory.is(Kind::string) ? fields.directory.string() : std::string();
}

}  // namespace

Result<Header> read_header(std::string_view line) {
    auto fields = fields_of(line);
    if (!fields) return fields.error();
    if (!fields->kind.is_string("Config") || !fields->config.is(Kind::object))
        return base::invalid("is not the Config entry that a state log begins with");
    Header header;
    header.config = json::compact(fields->config);
    auto directory = read_directory(*fields);
    if (!directory) return directory.error();
    header.directory = std::move(*directory);
    if (fields->run_id.is(Kind::string)) header.run_id = fields->run_id.string();
    header.initial_tasks = number(fields->initial_tasks);
    header.reuses = reuses_in(*fields);
    if (fields->version.is(Kind::string)) header.version = fields->version.string();
    header.format = number(fields->format).value_or(1);
    header.time = time_of(fields->time);
    header.has_checksum = checksum_of(line) != Checksum::absent;
    return header;
}

Result<Record> read_record(const config::WorkflowConfig& config, std::string_view line) {
    auto fields = fields_of(line);
    if (!fields) return fields.error();
    bool submitted = fields->kind.is_string("TaskSubmitted");
    if (!submitted && !fields->kind.is_string("TaskCompleted"))
        return base::invalid(is_present(fields->kind)
                                 ? base::concat("is an entry of an unknown kind: ", fields->kind.text())
                                 : "has no \"kind\"");
    auto entry = submitted ? read_submitted(config, *fields) : read_completed(*fields);
    if (!entry) return entry.error();
    return Record{std::move(*entry), time_of(fields->time), time_of(fields->started)};
}

}  // namespace statelog
