#include "pool_protocol/session.hpp"

#include "base/text.hpp"
#include "json/escape.hpp"
#include "json/json.hpp"
#include "pool_protocol/bounded_members.hpp"
#include "pool_protocol/fields.hpp"
#include "pool_protocol/names.hpp"

namespace pool_protocol {

namespace {

constexpr std::string_view greeting_kind = "Session";
constexpr std::string_view release_kind = "Release";
constexpr std::string_view activity_kind = "Activity";
constexpr std::string_view away_kind = "Away";
constexpr std::string_view back_kind = "Back";
constexpr std::string_view kick_kind = "Kicked";
constexpr std::string_view host_kind = "Host";

constexpr std::size_t longest = 256 * 1024;  // anything longer is none of these, and is not parsed

// In these texts, which only this project writes, the kind is the first member.
std::string start_of(std::string_view kind) {
    return base::concat("{\"kind\":\"", kind, "\"");
}

std::optional<json::View> parse(std::string_view frame, std::string_view kind) {
    if (frame.size() > longest || !frame.starts_with(start_of(kind)) || json::check(frame))
        return std::nullopt;
    return json::View::of(frame);
}

std::optional<std::string> id_in(json::View object, std::string_view name) {
    auto id = string_member(object, name);
    return id && is_id(*id) ? id : std::nullopt;
}

}  // namespace

std::string to_json(const SessionGreeting& greeting) {
    return base::concat(start_of(greeting_kind), ",\"session\":", json::quote(greeting.session),
                        greeting.knows_activity ? ",\"activity\":true" : "", "}");
}

std::optional<SessionGreeting> parse_session_greeting(std::string_view frame) {
    auto object = parse(frame, greeting_kind);
    auto session = object ? id_in(*object, "session") : std::nullopt;
    if (!session) return std::nullopt;
    return SessionGreeting{std::move(*session), is_true(object->find("activity"))};
}

std::string to_json(const AgentRelease& release) {
    return base::concat(start_of(release_kind), ",\"agent\":", json::quote(release.agent), ",\"reason\":\"",
                        reason_name(release.release.reason),
                        "\",\"message\":", json::quote(release.release.message), end_members(release.release),
                        "}");
}

std::optional<AgentRelease> parse_agent_release(std::string_view frame) {
    auto object = parse(frame, release_kind);
    auto agent = object ? id_in(*object, "agent") : std::nullopt;
    if (!agent) return std::nullopt;
    std::string message = string_member(*object, "message").value_or("");
    return AgentRelease{std::move(*agent), release_in(*object, std::move(message))};
}

std::string to_json(const ActivityNotice& notice) {
    return base::concat(start_of(activity_kind), ",\"agent\":", json::quote(notice.agent),
                        ",\"activity\":", to_json(notice.activity), "}");
}

std::optional<ActivityNotice> parse_activity_notice(std::string_view frame) {
    auto object = parse(frame, activity_kind);
    auto agent = object ? id_in(*object, "agent") : std::nullopt;
    auto member = agent ? object->find("activity") : std::nullopt;
    auto activity = member ? parse_activity(*member) : std::nullopt;
    if (!activity) return std::nullopt;
    return ActivityNotice{std::move(*agent), std::move(*activity)};
}

std::string to_json(const AgentAway& away) {
    return base::concat(start_of(away_kind), ",", away_members(away), "}");
}

std::optional<AgentAway> parse_agent_away(std::string_view frame) {
    auto object = parse(frame, away_kind);
    return object ? parse_away(*object) : std::nullopt;
}

std::string to_json(const AgentBack& back) {
    return base::concat(start_of(back_kind), ",\"name\":", json::quote_beginning(back.name, longest_text),
                        "}");
}

std::optional<AgentBack> parse_agent_back(std::string_view frame) {
    auto object = parse(frame, back_kind);
    auto name = object ? string_member(*object, "name") : std::nullopt;
    if (!name) return std::nullopt;
    return AgentBack{on_one_line(std::move(*name))};
}

std::string to_json(const AgentKick& kick) {
    return base::concat(start_of(kick_kind), ",\"agent\":", json::quote(kick.agent),
                        ",\"reason\":", json::quote(kick.reason.text()), "}");
}

std::optional<AgentKick> parse_agent_kick(std::string_view frame) {
    auto object = parse(frame, kick_kind);
    auto agent = object ? id_in(*object, "agent") : std::nullopt;
    if (!agent) return std::nullopt;
    return AgentKick{std::move(*agent), kick_reason_in(*object)};
}

std::string host_request() {
    return start_of(host_kind) + "}";
}

bool is_host_request(std::string_view frame) {
    return frame == host_request();
}

}  // namespace pool_protocol
