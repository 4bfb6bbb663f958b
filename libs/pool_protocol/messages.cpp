#include "pool_protocol/messages.hpp"

#include "base/json.hpp"
#include "base/json_members.hpp"
#include "base/text.hpp"
#include "pool_protocol/names.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pool_protocol {

namespace {

std::string id_member(const std::optional<std::string>& id) {
    return id ? base::concat("\"id\":", json::quote(*id), ",") : std::string();
}

// As a string; nothing if it is absent or something else.
std::optional<std::string> string_in(const std::optional<json::View>& member) {
    if (!member || !member->is(json::Kind::string)) return std::nullopt;
    return member->string();
}

std::optional<std::string> string_member(json::View object, std::string_view name) {
    return string_in(object.find(name));
}

// The same as View::of(checked).find(name), without a search for the object's end: a content may be long.
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

base::Result<json::View> parse_object(std::string_view text, std::string_view what) {
    if (auto problem = json::check(text))
        return base::invalid(
            base::concat(what, " is not JSON: byte ", problem->offset, ": ", problem->message));
    json::View value = json::View::of(text);
    if (!value.is(json::Kind::object)) return base::invalid(base::concat(what, " is not a JSON object"));
    return value;
}

// In quotes, and of something long only how long it is: no message is as large as what it complains of.
std::string shown(std::string_view text) {
    constexpr std::size_t longest = 200;
    return text.size() > longest ? base::concat("a text of ", text.size(), " bytes") : json::quote(text);
}

std::optional<std::string> path_problem(std::string_view path) {
    constexpr std::size_t longest = 4095;  // what Linux takes
    if (path.size() > longest)
        return base::concat("the path of a FileReference is ", path.size(), " bytes long; at most ", longest,
                            " are accepted");
    if (!path.starts_with('/'))
        return base::concat("the path of a FileReference must be absolute, not ", shown(path));
    // Everything behind it would go unseen.
    if (path.find('\0') != std::string_view::npos)
        return base::concat("the path of a FileReference has a NUL character in it: ", shown(path));
    return std::nullopt;
}

// A request's members, found in one pass: its content may be long. Of a name that stands twice, the first.
struct RequestMembers {
    std::optional<json::View> id, wants_agent, kind, content, path;
};

RequestMembers members_of(json::View object) {
    RequestMembers found;
    std::pair<std::string_view, std::optional<json::View>*> places[] = {{"id", &found.id},
                                                                        {"wants_agent", &found.wants_agent},
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

}  // namespace

std::string to_json(const Request& request, bool wants_agent) {
    std::string text = base::concat("{", id_member(request.id), wants_agent ? R"("wants_agent":true,)" : "");
    if (const auto* inline_content = std::get_if<Inline>(&request.payload)) {
        text += R"("kind":"Inline","content":)";
        json::append_quoted(text, inline_content->content);
    } else {
        text += R"("kind":"FileReference","path":)";
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
    Request request{id, Inline{}};
    request.wants_agent =
        members.wants_agent && members.wants_agent->is(json::Kind::boolean) && members.wants_agent->boolean();
    auto kind = string_in(members.kind);
    if (kind == "Inline") {
        auto content = string_in(members.content);
        if (!content)
            return base::invalid("an Inline request needs \"content\", a string that holds JSON text");
        request.payload = Inline{std::move(*content)};
        return request;
    }
    if (kind == "FileReference") {
        auto path = string_in(members.path);
        if (!path) return base::invalid("a FileReference request needs \"path\", an absolute path");
        if (auto problem = path_problem(*path)) return base::invalid(std::move(*problem));
        request.payload = FileReference{std::move(*path)};
        return request;
    }
    return base::invalid(base::concat("the request's kind is ", kind ? shown(*kind) : "missing",
                                      "; expected \"Inline\" or \"FileReference\""));
}

std::string withdrawal(std::string_view id) {
    return base::concat(R"({"kind":"Withdraw","id":)", json::quote(id), "}");
}

std::optional<std::string> parse_withdrawal(std::string_view text) {
    constexpr std::size_t longest = 512;  // no request of any size is parsed just to see that it is none
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

std::optional<std::chrono::milliseconds> content_timeout(std::string_view content) {
    auto member = find_member(content, "timeout_seconds");
    if (!member || !member->is(json::Kind::number)) return std::nullopt;
    constexpr double longest = 1e10;  // seconds; more would overflow the clock, and nobody waits 300 years
    double seconds = std::min(member->number(), longest);
    if (!(seconds > 0)) return std::nullopt;
    return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(seconds * 1000)));
}

std::string to_json(const Answer& answer, const std::optional<std::string>& id) {
    std::string start = base::concat("{", id_member(id));
    if (id && !answer.agent.empty()) start += base::concat("\"agent\":", json::quote(answer.agent), ",");
    switch (answer.kind) {
        case Answer::Kind::processed:
            start += R"("kind":"Processed","stdout":)";
            json::append_quoted(start, answer.text);
            start += "}";
            return start;
        case Answer::Kind::timeout:
            start += R"("kind":"NotProcessed","reason":"timeout")";
            if (id && !answer.text.empty()) start += base::concat(",\"message\":", json::quote(answer.text));
            return start + "}";
        case Answer::Kind::stopped:
            return base::concat(start, R"("kind":"NotProcessed","reason":"stopped"})");
        case Answer::Kind::invalid:
            break;
    }
    return base::concat(start, R"("kind":"NotProcessed","reason":"invalid","message":)",
                        json::quote(answer.text), "}");
}

base::Result<AnsweredRequest> parse_answer(std::string_view text) {
    auto object = parse_object(text, "the daemon's answer");
    if (object.has_error()) return object.error();
    AnsweredRequest answered;
    answered.id = string_member(*object, "id");
    auto kind = string_member(*object, "kind");
    auto reason = string_member(*object, "reason");
    if (kind == "Processed") {
        auto response = string_member(*object, "stdout");
        if (!response) return base::invalid("the daemon's answer has no \"stdout\"");
        answered.answer = Answer::processed(std::move(*response));
    } else if (kind == "NotProcessed" && reason == "timeout") {
        answered.answer = Answer::timeout({}, string_member(*object, "message").value_or(""));
    } else if (kind == "NotProcessed" && reason == "stopped") {
        answered.answer = Answer::stopped();
    } else if (kind == "NotProcessed") {
        answered.answer =
            Answer::invalid(string_member(*object, "message").value_or(reason.value_or("no reason given")));
    } else {
        return base::invalid("the daemon's answer is neither \"Processed\" nor \"NotProcessed\"");
    }
    answered.answer.agent = string_member(*object, "agent").value_or("");
    return answered;
}

std::string to_json(const Ready& ready) {
    std::string members;
    if (!ready.name.empty()) members += base::concat("\"name\":", json::quote(ready.name), ",");
    if (ready.locked) members += "\"locked\":true,";
    if (ready.handed_back) members += base::concat("\"handed_back\":", json::quote(*ready.handed_back), ",");
    if (ready.failed) members += base::concat("\"failed\":", json::quote(*ready.failed), ",");
    if (!members.empty()) members.pop_back();
    return base::concat("{", members, "}");
}

Ready parse_ready(std::string_view text) {
    Ready ready;
    if (json::check(text)) return ready;
    json::View value = json::View::of(text);
    ready.name = string_member(value, "name").value_or("");
    auto locked = value.find("locked");
    ready.locked = locked && locked->is(json::Kind::boolean) && locked->boolean();
    ready.handed_back = string_member(value, "handed_back");
    ready.failed = string_member(value, "failed");
    return ready;
}

std::string heartbeat_message() {
    return R"({"kind":"Heartbeat","task":{"instructions":"Heartbeat: write any JSON, such as {}, to the response file to )"
           R"(show that you are there.","data":null}})";
}

std::string kicked_message(std::string_view reason) {
    return base::concat(R"({"kind":"Kicked","reason":)", json::quote(reason), "}");
}

bool reads_as_message(std::string_view content) {
    if (!content.starts_with('{')) return false;
    auto kind = string_in(find_member(content, "kind"));
    return kind == "Heartbeat" || kind == "Kicked";
}

std::optional<ControlMessage> parse_control_message(std::string_view task_file) {
    if (!task_file.starts_with('{') || json::check(task_file)) return std::nullopt;
    json::View value = json::View::of(task_file);
    auto kind = string_member(value, "kind");
    if (kind == "Heartbeat") return ControlMessage{ControlMessage::Kind::heartbeat, {}};
    if (kind == "Kicked")
        return ControlMessage{ControlMessage::Kind::kicked,
                              string_member(value, "reason").value_or("Timeout")};
    return std::nullopt;
}

}  // namespace pool_protocol
