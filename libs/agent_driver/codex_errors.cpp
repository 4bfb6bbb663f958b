#include "agent_driver/codex_errors.hpp"

#include "agent_driver/driver.hpp"
#include "agent_driver/fields.hpp"

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

FailureKind kind_of_code(View code, bool retried) {
    for (const auto& [name, kind] : codes)
        if (code.is_string(name)) return kind;
    return code.is_string("other") && retried ? FailureKind::overloaded : FailureKind::error;
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

FailureKind codex_failure_kind(View error, bool retried) {
    auto info = value_at(error, {"codexErrorInfo"});
    if (is_missing_key(error)) return FailureKind::not_ready;
    if (info && info->is(Kind::string)) return kind_of_code(*info, retried);
    if (!info || !info->is(Kind::object) || info->members().empty()) return FailureKind::error;
    return kind_of_connection(info->members().front()).value_or(FailureKind::error);
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

}  // namespace agent_driver
