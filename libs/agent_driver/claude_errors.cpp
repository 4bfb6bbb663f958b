#include "agent_driver/claude_errors.hpp"

#include "agent_driver/failure_words.hpp"
#include "agent_driver/fields.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>

namespace agent_driver {

std::optional<FailureKind> claude_kind_of_subtype(std::string_view subtype) {
    if (subtype == "error_max_budget_usd") return FailureKind::budget;
    if (subtype == "error_max_turns") return FailureKind::turn_limit;
    if (subtype == "error_max_structured_output_retries") return FailureKind::no_answer;
    return std::nullopt;
}

std::optional<FailureKind> claude_kind_of_code(std::string_view code) {
    if (code == "authentication_failed" || code == "billing_error" || code == "model_not_found" ||
        code == "oauth_org_not_allowed")
        return FailureKind::not_ready;
    if (code == "rate_limit") return FailureKind::usage_limit;
    if (code == "server_error" || code == "overloaded") return FailureKind::overloaded;
    if (code == "max_output_tokens") return FailureKind::too_large;
    return std::nullopt;
}

bool is_claude_refusal(std::string_view result) {
    constexpr std::array<std::string_view, 7> words{
        "is disabled for this session",   "requested permissions to",
        "is not enabled in this context", "requires approval",
        "was blocked. For security",      "Permission to use",
        "Permission for this action"};
    return std::ranges::any_of(words,
                               [&](std::string_view part) { return result.find(part) != result.npos; });
}

bool is_too_long(std::string_view terminal_reason) {
    return terminal_reason == "prompt_too_long" || terminal_reason == "blocking_limit";
}

bool is_malformed_answer(std::string_view result) {
    return result.starts_with("API Error: API returned an empty or malformed response") ||
           result.starts_with("API Error: Failed to parse JSON");
}

Failure claude_retried_failure(json::View message) {
    std::string code = string_at(message, {"error"});
    auto status = integer_at(message, {"error_status"});
    Failure failure;
    failure.kind = claude_kind_of_code(code).value_or(FailureKind::overloaded);
    failure.message = "a request to the model failed";
    if (status) failure.message += base::concat(" with status ", *status);
    if (!tells_nothing(code)) failure.message += ": " + code;
    std::chrono::milliseconds delay(count_at(message, {"retry_delay_ms"}));
    if (delay.count() > 0) failure.wait = std::chrono::ceil<std::chrono::seconds>(delay);
    return failure;
}

}  // namespace agent_driver
