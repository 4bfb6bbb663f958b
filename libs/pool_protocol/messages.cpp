#include "pool_protocol/messages.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "json/members.hpp"
#include "pool_protocol/fields.hpp"
#include "pool_protocol/names.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pool_protocol {

namespace {

// Does what View::of(checked).find(name) does, but does not search for the object's end: a content may be
// long.
std::optional<json::View> find_member(std::string_view checked, std::string_view name) {
    std::optional<json::View> found;
    std::size_t brace = checked.find_first_not_of(" \t\r\n");
    if (brace == std::string_view::npos || checked[brace] != '{') return found;
    json::for_each_member(checked.substr(brace), [&](const json::Member& member) {
        if (member.key.is_string(name)) found = member.value;
        return !found;
    });
    return found;
}

// Shows the text in quotes, or only the length of a long one: a message must not be as large as what it is
// about.
std::string shown(std::string_view text) {
    constexpr std::size_t longest = 200;
    return text.size() > longest ? base::concat("a text of ", text.size(), " bytes") : json::quote(text);
}

std::optional<std::string> path_problem(std::string_view path) {
    constexpr std::size_t longest = 4095;  // Linux's limit
    if (path.size() > longest)
        return base::concat("the path of a FileReference is ", path.size(), " bytes long; at most ", longest,
                            " are accepted");
    if (!path.starts_with('/'))
        return base::concat("the path of a FileReference must be absolute, not ", shown(path));
    // Everything after a null byte would be ignored.
    if (path.find('\0') != std::string_view::npos)
        return base::concat("the path of a FileReference has a NUL character in it: ", shown(path));
    return std::nullopt;
}

constexpr std::string_view wrong_kind = "the request's kind is ";

// A request's members, found in one pass because its content may be long. If a name occurs twice, the first
// counts.
struct RequestMembers {
    std::optional<json::View> id, wants_agent, wants_failures, may_host, labels, wants_unmatched,
        wants_activity, response_schema, priority, kind, content, path;
};

RequestMembers members_of(json::View object) {
    RequestMembers found;
    std::pair<std::string_view, std::optional<json::View>*> places[] = {
        {"id", &found.id},
        {"wants_agent", &found.wants_agent},
        {"wants_failures", &found.wants_failures},
        {"may_host", &found.may_host},
        {"labels", &found.labels},
        {"wants_unmatched", &found.wants_unmatched},
        {"wants_activity", &found.wants_activity},
        {"response_schema", &found.response_schema},
        {"priority", &found.priority},
        {"kind", &found.kind},
        {"content", &found.content},
        {"path", &found.path}};
    json::for_each_member(object, [&](const json::Member& member) {
        for (auto& [name, place] : places)
            if (!*place && member.key.is_string(name)) *place = member.value;
        return true;
    });
    return found;
}

base::Result<void> read_id(const std::optional<json::View>& member, std::optional<std::string>& id) {
    if (!member || member->is(json::Kind::null)) return {};
    if (!member->is(json::Kind::string) || !is_id(member->string()))
        return base::invalid(
            "the request's \"id\" must be a string of at most 200 letters, digits, '.', '_' and '-', "
            "beginning with a "
            "letter or a digit");
    id = member->string();
    return {};
}

base::Result<std::string> read_schema(const std::optional<json::View>& member) {
    if (!member || member->is(json::Kind::null)) return std::string();
    if (!member->is(json::Kind::object))
        return base::invalid("the request's \"response_schema\" must be a JSON Schema, and an object");
    return std::string(member->text());
}

base::Result<std::int32_t> read_priority(const std::optional<json::View>& member) {
    if (!member || member->is(json::Kind::null)) return 0;
    auto priority = member->is(json::Kind::number) ? member->integer() : std::nullopt;
    if (!priority || *priority < -max_priority || *priority > max_priority)
        return base::invalid(base::concat("the request's \"priority\" must be a whole number from ",
                                          -max_priority, " to ", max_priority));
    return static_cast<std::int32_t>(*priority);
}

std::string priority_member(std::int32_t priority) {
    return priority == 0 ? std::string() : base::concat("\"priority\":", priority, ",");
}

std::string schema_member(const std::string& schema) {
    return schema.empty() ? std::string() : base::concat("\"response_schema\":", schema, ",");
}

using Payload = std::variant<Inline, FileReference>;

base::Result<Payload> read_payload(const RequestMembers& members) {
    auto named = string_in(members.kind);
    std::string_view kind = named ? std::string_view(*named) : "";
    if (kind.ends_with(with_labels)) kind.remove_suffix(with_labels.size());
    if (kind == "Inline") {
        auto content = string_in(members.content);
        if (!content)
            return base::invalid("an Inline request needs \"content\", a string that holds JSON text");
        return Inline{std::move(*content)};
    }
    if (kind == "FileReference") {
        auto path = string_in(members.path);
        if (!path) return base::invalid("a FileReference request needs \"path\", an absolute path");
        if (auto problem = path_problem(*path)) return base::invalid(std::move(*problem));
        return FileReference{std::move(*path)};
    }
    return base::invalid(base::concat(wrong_kind, named ? shown(*named) : "missing",
                                      "; expected \"Inline\" or \"FileReference\""));
}

}  // namespace

std::string to_json(const Request& request) {
    std::string text =
        base::concat("{", id_member(request.id), flag("wants_agent", request.wants_agent),
                     flag("wants_failures", request.wants_failures), flag("may_host", request.may_host),
                     flag("wants_unmatched", request.wants_unmatched),
                     flag("wants_activity", request.wants_activity), labels_member("labels", request.labels),
                     priority_member(request.priority), schema_member(request.response_schema));
    std::string_view suffix = request.labels.empty() ? "" : with_labels;
    if (const auto* inline_content = std::get_if<Inline>(&request.payload)) {
        text += base::concat(R"("kind":"Inline)", suffix, R"(","content":)");
        json::append_quoted(text, inline_content->content);
    } else {
        text += base::concat(R"("kind":"FileReference)", suffix, R"(","path":)");
        json::append_quoted(text, std::get<FileReference>(request.payload).path);
    }
    text += "}";
    return text;
}

base::Result<Request> parse_request(std::string_view text, std::optional<std::string>& id) {
    auto object = parse_object(text, "the request");
    if (object.has_error()) return object.error();
    RequestMembers members = members_of(*object);
    if (auto read = read_id(members.id, id); read.has_error()) return read.error();
    auto payload = read_payload(members);
    if (payload.has_error()) return payload.error();
    auto labels = labels_in(members.labels);
    if (labels.has_error()) return base::with_context("the request", labels.error());
    auto schema = read_schema(members.response_schema);
    if (schema.has_error()) return schema.error();
    auto priority = read_priority(members.priority);
    if (priority.has_error()) return priority.error();
    Request request{id, std::move(*payload)};
    request.priority = *priority;
    request.response_schema = std::move(*schema);
    request.labels = std::move(*labels);
    request.wants_agent = is_true(members.wants_agent);
    request.wants_failures = is_true(members.wants_failures);
    request.may_host = is_true(members.may_host);
    request.wants_unmatched = is_true(members.wants_unmatched);
    request.wants_activity = is_true(members.wants_activity);
    return request;
}

bool refuses_labels(std::string_view message) {
    return message.starts_with(wrong_kind) && message.find(with_labels) != std::string_view::npos;
}

std::string withdrawal(std::string_view id) {
    return base::concat(R"({"kind":"Withdraw","id":)", json::quote(id), "}");
}

std::optional<std::string> parse_withdrawal(std::string_view text) {
    constexpr std::size_t longest = 512;  // so that a large request is not parsed here
    if (text.size() > longest || json::check(text)) return std::nullopt;
    json::View value = json::View::of(text);
    if (string_member(value, "kind") != "Withdraw") return std::nullopt;
    return string_member(value, "id");
}

std::optional<std::string> content_problem(std::string_view content) {
    auto problem = json::check(content);
    if (!problem) return std::nullopt;
    return base::concat("the task's content is not JSON: byte ", problem->offset, ": ", problem->message);
}

namespace {

constexpr std::string_view timeout_name = "timeout_seconds";

std::optional<std::chrono::milliseconds> to_timeout(double seconds) {
    constexpr double longest = 1e10;  // seconds, 300 years; more would overflow the clock
    seconds = std::min(seconds, longest);
    if (!(seconds > 0)) return std::nullopt;
    return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(seconds * 1000)));
}

}  // namespace

std::optional<std::chrono::milliseconds> content_timeout(std::string_view content) {
    auto member = find_member(content, timeout_name);
    if (!member || !member->is(json::Kind::number)) return std::nullopt;
    return to_timeout(member->number());
}

// This can't be the end of a string in the content: a quote after a comma would have ended that string.
std::optional<std::chrono::milliseconds> timeout_at_end(std::string_view end) {
    std::string start = base::concat(",\"", timeout_name, "\":");
    std::size_t at = end.rfind(start);
    if (at == std::string_view::npos) return std::nullopt;
    std::string object = base::concat("{", end.substr(at + 1));
    return json::check(object) ? std::nullopt : content_timeout(object);
}

std::string heartbeat_message() {
    return R"({"kind":"Heartbeat","task":{"instructions":"Heartbeat: write any JSON, such as {}, to the response file to )"
           R"(show that you are there.","data":null}})";
}

std::string kicked_message(const StatedKickReason& reason) {
    return base::concat(R"({"kind":"Kicked","reason":)", json::quote(reason.text()), "}");
}

bool reads_as_message(std::string_view content) {
    if (!content.starts_with('{')) return false;
    auto kind = string_in(find_member(content, "kind"));
    return kind == "Heartbeat" || kind == "Kicked";
}

std::optional<DaemonMessage> parse_daemon_message(std::string_view task_file) {
    if (!task_file.starts_with('{') || json::check(task_file)) return std::nullopt;
    json::View value = json::View::of(task_file);
    auto kind = string_member(value, "kind");
    if (kind == "Heartbeat") return DaemonMessage{DaemonMessage::Kind::heartbeat};
    if (kind == "Kicked") return DaemonMessage{DaemonMessage::Kind::kicked, kick_reason_in(value)};
    return std::nullopt;
}

}  // namespace pool_protocol
