#include "pool_protocol/session.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "pool_protocol/fields.hpp"
#include "pool_protocol/names.hpp"

namespace pool_protocol {

namespace {

constexpr std::string_view greeting_kind = "Session";
constexpr std::string_view release_kind = "Release";
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

std::string session_greeting(std::string_view session) {
    return base::concat(start_of(greeting_kind), ",\"session\":", json::quote(session), "}");
}

std::optional<std::string> parse_session_greeting(std::string_view frame) {
    auto object = parse(frame, greeting_kind);
    return object ? id_in(*object, "session") : std::nullopt;
}

std::string to_json(const AgentRelease& release) {
    return base::concat(start_of(release_kind), ",\"agent\":", json::quote(release.agent), ",\"reason\":\"",
                        reason_name(release.release.reason),
                        "\",\"message\":", json::quote(release.release.message),
                        number_member("exit_code", release.release.exit_code),
                        number_member("signal", release.release.signal), "}");
}

std::optional<AgentRelease> parse_agent_release(std::string_view frame) {
    auto object = parse(frame, release_kind);
    auto agent = object ? id_in(*object, "agent") : std::nullopt;
    if (!agent) return std::nullopt;
    Release release;
    release.reason = parse_reason(string_member(*object, "reason").value_or(""));
    release.message = string_member(*object, "message").value_or("");
    release.exit_code = int_member(*object, "exit_code");
    release.signal = int_member(*object, "signal");
    return AgentRelease{std::move(*agent), std::move(release)};
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
