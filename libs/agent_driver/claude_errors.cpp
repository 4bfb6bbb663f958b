#include "agent_driver/claude_errors.hpp"

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

bool is_malformed_answer(std::string_view result) {
    return result.starts_with("API Error: API returned an empty or malformed response");
}

}  // namespace agent_driver
