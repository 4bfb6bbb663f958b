#include "agent_driver/codex_errors.hpp"

#include "agent_driver/failure_words.hpp"
#include "agent_driver/fields.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace agent_driver {

namespace {

using json::Kind;
using json::View;

constexpr std::array<std::pair<std::string_view, FailureKind>, 13> codes{{
    {"contextWindowExceeded", FailureKind::too_large},
    {"sessionBudgetExceeded", FailureKind::budget},
    {"usageLimitExceeded", FailureKind::usage_limit},
    {"rateLimitExceeded", FailureKind::usage_limit},
    {"serverOverloaded", FailureKind::overloaded},
    {"flexUnavailable", FailureKind::overloaded},
    {"policyCapacityUnavailable", FailureKind::overloaded},
    {"internalServerError", FailureKind::overloaded},
    {"modelNotFound", FailureKind::not_ready},
    {"unauthorized", FailureKind::not_ready},
    {"cyberPolicy", FailureKind::refusal},
    {"misalignmentPolicyViolation", FailureKind::refusal},
    {"inferenceHookDenied", FailureKind::refusal},
}};

// Codex has the code "other" for a lost connection and for much else. These are its own words for the first,
// and OpenAI's for a failure of its servers; what else a provider says is not known.
constexpr std::string_view lost = "stream disconnected before completion: ";
constexpr std::array<std::string_view, 9> words_of_loss{
    "error sending request",
    "error decoding response body",
    "request or response body error",
    "stream closed before response.completed",
    "idle timeout waiting for",
    "websocket closed by server before response.completed",
    "failed to connect",
    "An error occurred while processing your request.",
    "The server had an error",
};
constexpr std::string_view incomplete = "Incomplete response returned, reason: ";

FailureKind kind_of_words(std::string_view message, bool retried) {
    if (message.starts_with(lost)) message.remove_prefix(lost.size());
    if (message.starts_with(incomplete)) {
        message.remove_prefix(incomplete.size());
        if (message == "content_filter") return FailureKind::refusal;
        return message == "max_output_tokens" ? FailureKind::too_large : FailureKind::error;
    }
    auto begins = [&](std::string_view words) { return message.starts_with(words); };
    return retried && std::ranges::any_of(words_of_loss, begins) ? FailureKind::overloaded
                                                                 : FailureKind::error;
}

FailureKind kind_of_code(View code, const std::string& message, bool retried) {
    for (const auto& [name, kind] : codes)
        if (code.is_string(name)) return kind;
    return code.is_string("other") ? kind_of_words(message, retried) : FailureKind::error;
}

// The provider's key is read from a variable that is not set: Codex has no code for that.
bool is_missing_key(View error) {
    return string_at(error, {"message"}).starts_with("Missing environment variable: ");
}

// {"httpConnectionFailed": {"httpStatusCode": 401}} and the like; the status is null if there was no
// response.
std::optional<FailureKind> kind_of_connection(const json::Member& failure) {
    if (!failure.value.is(Kind::object) || !failure.value.find("httpStatusCode")) return std::nullopt;
    auto status = integer_at(failure.value, {"httpStatusCode"});
    return status ? kind_of_status(*status).value_or(FailureKind::error) : FailureKind::overloaded;
}

}  // namespace

std::string codex_details(View error) {
    std::string details = string_at(error, {"additionalDetails"});
    return details.empty() ? string_at(error, {"message"}) : details;
}

bool lacks_codex_login(View account) {
    return !value_at(account, {"account", "type"}) && is_true_at(account, {"requiresOpenaiAuth"});
}

Failure without_codex_login(Failure failure) {
    failure.message = base::concat(
        "codex is not logged in: run `codex login`, or `printenv OPENAI_API_KEY | codex login "
        "--with-api-key`; it takes no key from the environment (",
        failure.message, ")");
    return failure;
}

bool has_codex_answer(View error) {
    auto info = value_at(error, {"codexErrorInfo"});
    if (!info || !info->is(Kind::object) || info->members().empty()) return false;
    constexpr std::int64_t unauthorized = 401;
    auto status = integer_at(info->members().front().value, {"httpStatusCode"});
    return status && *status != unauthorized;
}

FailureKind codex_failure_kind(View error, bool retried) {
    auto info = value_at(error, {"codexErrorInfo"});
    if (is_missing_key(error)) return FailureKind::not_ready;
    if (info && info->is(Kind::string)) return kind_of_code(*info, string_at(error, {"message"}), retried);
    if (!info || !info->is(Kind::object) || info->members().empty()) return FailureKind::error;
    return kind_of_connection(info->members().front()).value_or(FailureKind::error);
}

// "stream disconnected - retrying sampling request (1/5 in 3599.998s)... turn_id=…"
std::optional<std::chrono::seconds> codex_wait(std::string_view line) {
    constexpr std::string_view in = " in ";
    std::size_t at = line.find(in, std::min(line.find(" retrying "), line.size()));
    if (at == std::string_view::npos) return std::nullopt;
    return told_wait(base::concat("retry in ", line.substr(at + in.size())));
}

std::optional<std::chrono::sys_seconds> codex_limit_end(View rate_limits) {
    std::optional<std::chrono::sys_seconds> end;
    for (std::string_view name : {"primary", "secondary"}) {
        auto until = integer_at(rate_limits, {name, "resetsAt"});
        if (!until || number_at(rate_limits, {name, "usedPercent"}).value_or(0) < 100) continue;
        std::chrono::sys_seconds time{std::chrono::seconds(*until)};
        end = std::max(end.value_or(time), time);
    }
    return end;
}

bool is_codex_refusal(std::string_view result) {
    constexpr std::array<std::string_view, 4> words{"Read-only file system", "Operation not permitted",
                                                    "Permission denied",
                                                    "rejected by user approval settings"};
    return result.find("Process exited with code 0\n") == result.npos &&
           std::ranges::any_of(words,
                               [&](std::string_view part) { return result.find(part) != result.npos; });
}

}  // namespace agent_driver
