#include "agent_driver/driver.hpp"

#include <array>

namespace agent_driver {

namespace {

constexpr std::array<std::string_view, 14> failure_names{
    "usage_limit", "overloaded",  "not_ready", "too_large", "budget",  "turn_limit", "images",
    "refusal",     "interrupted", "stalled",   "no_answer", "crashed", "killed",     "error"};

}  // namespace

std::string_view failure_name(FailureKind kind) {
    return failure_names.at(static_cast<std::size_t>(kind));
}

std::optional<FailureKind> kind_of_status(std::int64_t status) {
    if (status == 429) return FailureKind::usage_limit;
    if (status >= 500 && status <= 599) return FailureKind::overloaded;
    if (status == 407 || status == 408) return FailureKind::overloaded;  // what is in between
    if (status == 413) return FailureKind::too_large;
    if (status >= 401 && status <= 404) return FailureKind::not_ready;
    if (status >= 400 && status <= 499) return FailureKind::error;
    return std::nullopt;
}

}  // namespace agent_driver
