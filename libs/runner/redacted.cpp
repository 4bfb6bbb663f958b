#include "runner/redacted.hpp"

#include <memory>
#include <utility>
#include <variant>
#include <vector>

namespace runner {

namespace {

void redact(const output::Redaction& redaction, std::string& text) {
    text = redaction.redact_quotes(text);
}

void redact(const output::Redaction& redaction, std::optional<pool_protocol::AgentReport>& report) {
    if (!report) return;
    for (std::string* text : {&report->model, &report->session, &report->refused})
        redact(redaction, *text);
}

}  // namespace

std::string redacted(const output::Redaction* redaction, std::string_view text) {
    return redaction == nullptr ? std::string(text) : redaction->redact_quotes(text);
}

void redact(const output::Redaction* redaction, pool_protocol::Answer& answer) {
    if (redaction == nullptr) return;
    std::visit(
        [&]<class Kind>(Kind& kind) {
            if constexpr (requires { kind.message; }) redact(*redaction, kind.message);
            if constexpr (requires { kind.last_error; }) redact(*redaction, kind.last_error);
            if constexpr (requires { kind.report; }) redact(*redaction, kind.report);
        },
        answer);
}

void redact(const output::Redaction* redaction, std::optional<pool_protocol::AgentActivity>& activity) {
    if (redaction != nullptr && activity) redact(*redaction, activity->text);
}

void redact(const output::Redaction* redaction, pool_protocol::CommandEnd& end) {
    if (redaction == nullptr) return;
    redact(*redaction, end.error_output);
    redact(*redaction, end.message);
}

void redact(const output::Redaction* redaction, workflow::AttemptResult& result) {
    auto* failure = std::get_if<workflow::Failure>(&result);
    if (redaction != nullptr && failure != nullptr) redact(*redaction, failure->message);
}

workflow::PreviousAttempts redacted(const output::Redaction* redaction,
                                    const workflow::PreviousAttempts& attempts) {
    if (redaction == nullptr || !attempts) return attempts;
    std::vector<workflow::PreviousAttempt> changed = *attempts;
    for (workflow::PreviousAttempt& attempt : changed) {
        redact(*redaction, attempt.error);
        if (attempt.response) redact(*redaction, *attempt.response);
    }
    return std::make_shared<const std::vector<workflow::PreviousAttempt>>(std::move(changed));
}

}  // namespace runner
