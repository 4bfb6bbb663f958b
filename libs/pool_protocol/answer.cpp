#include "pool_protocol/answer.hpp"

#include "base/text.hpp"
#include "json/json.hpp"
#include "pool_protocol/fields.hpp"

#include <utility>

namespace pool_protocol {

namespace {

std::string agent_member(const AgentName& agent) {
    return agent.text().empty() ? std::string() : base::concat("\"agent\":", json::quote(agent.text()), ",");
}

std::string not_processed(std::string_view reason) {
    return base::concat(R"("kind":"NotProcessed","reason":")", reason, "\"");
}

std::string message_member(const std::string& message) {
    return base::concat(",\"message\":", json::quote(message));
}

void append(std::string& text, const Processed& answer) {
    text += base::concat(agent_member(answer.agent), report_member(answer.report),
                         R"("kind":"Processed","stdout":)");
    json::append_quoted(text, answer.response);
}

void append(std::string& text, const TimedOut& answer) {
    text += base::concat(agent_member(answer.agent), report_member(answer.report), not_processed("timeout"));
    if (!answer.last_error.empty()) text += message_member(answer.last_error);
}

void append(std::string& text, const Stopped&) {
    text += not_processed("stopped");
}

void append(std::string& text, const Invalid& answer) {
    text += base::concat(not_processed("invalid"), message_member(answer.message));
}

void append(std::string& text, const AgentFailed& answer) {
    text += base::concat(agent_member(answer.agent), report_member(answer.report),
                         not_processed("agent_failed"), message_member(answer.message),
                         number_member("exit_code", answer.exit_code), number_member("signal", answer.signal),
                         failure_members(answer.failure, answer.is_permanent));
}

void append(std::string& text, const AgentsLost& answer) {
    text += base::concat(report_member(answer.report), not_processed("agent_lost"),
                         message_member(answer.message));
}

AgentName agent_in(json::View object) {
    return string_member(object, "agent").value_or("");
}

Answer parse_not_processed(json::View object) {
    std::optional<std::string> reason = string_member(object, "reason");
    std::optional<std::string> message = string_member(object, "message");
    if (reason == "timeout") return TimedOut{agent_in(object), message.value_or(""), report_in(object)};
    if (reason == "stopped") return Stopped{};
    std::string why = message.value_or(reason.value_or("no reason given"));
    if (reason == "agent_lost") return AgentsLost{std::move(why), report_in(object)};
    if (reason == "agent_failed")
        return AgentFailed{agent_in(object),
                           std::move(why),
                           int_member(object, "exit_code"),
                           int_member(object, "signal"),
                           failure_in(object),
                           is_true(object.find("permanent")),
                           report_in(object)};
    return Invalid{std::move(why)};
}

}  // namespace

void leave_out_agent(Answer& answer) {
    if (auto* processed = std::get_if<Processed>(&answer))
        *processed = Processed{std::move(processed->response)};
    if (auto* failed = std::get_if<AgentFailed>(&answer)) {
        failed->agent = {};
        failed->report.reset();
    }
    if (auto* lost = std::get_if<AgentsLost>(&answer)) lost->report.reset();
    if (std::holds_alternative<TimedOut>(answer)) answer = TimedOut{};
}

std::string to_json(const Answer& answer, const std::optional<std::string>& id) {
    std::string text = base::concat("{", id_member(id));
    std::visit([&](const auto& alternative) { append(text, alternative); }, answer);
    text += "}";
    return text;
}

base::Result<AnsweredRequest> parse_answer(std::string_view text) {
    auto object = parse_object(text, "the daemon's answer");
    if (object.has_error()) return object.error();
    auto id = string_member(*object, "id");
    auto kind = string_member(*object, "kind");
    if (kind == "NotProcessed") return AnsweredRequest{std::move(id), parse_not_processed(*object)};
    if (kind != "Processed")
        return base::invalid("the daemon's answer is neither \"Processed\" nor \"NotProcessed\"");
    auto response = string_member(*object, "stdout");
    if (!response) return base::invalid("the daemon's answer has no \"stdout\"");
    return AnsweredRequest{std::move(id),
                           Processed{std::move(*response), agent_in(*object), report_in(*object)}};
}

}  // namespace pool_protocol
