#include "workflow/budget.hpp"

#include "base/dollars.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <utility>

namespace workflow {

namespace {

using base::dollars_text;

// Sums of cents are not exact.
constexpr double tolerance = 1e-9;

bool reaches_usd(double usd, double limit) {
    return usd >= limit * (1 - tolerance);
}

}  // namespace

BudgetUse budget_use_of(const pool_protocol::AgentReport& report) {
    return {report.input_tokens + report.output_tokens, report.usd.value_or(0), !report.price_list.empty()};
}

BudgetUse budget_use_of(const pool_protocol::AgentActivity& activity) {
    return {activity.input_tokens + activity.output_tokens, activity.usd.value_or(0),
            !activity.price_list.empty()};
}

Budget::Budget(config::BudgetLimits limits, const Usage& before)
    : limits_(limits),
      ended_{before.input_tokens + before.output_tokens, before.usd, !before.price_list.empty()} {}

void Budget::ended(const BudgetUse& used) {
    ended_.tokens += used.tokens;
    ended_.usd += used.usd;
    ended_.is_estimate |= used.is_estimate;
}

void Budget::running(const BudgetUse& used) {
    running_ = used;
}

bool Budget::reaches(double part) const {
    const BudgetUse used = spent();
    bool usd = limits_.usd && reaches_usd(used.usd, *limits_.usd * part);
    bool tokens =
        limits_.tokens && static_cast<double>(used.tokens) >= static_cast<double>(*limits_.tokens) * part;
    return usd || tokens;
}

bool Budget::is_spent() const {
    return reaches(1);
}

bool Budget::take_warning() {
    return !has_warned_ && reaches(limits_.warn_at) && !std::exchange(has_warned_, true);
}

config::BudgetLimits Budget::more() const {
    const BudgetUse used = spent();
    config::BudgetLimits more;
    if (limits_.usd && reaches_usd(used.usd, *limits_.usd)) more.usd = 2 * std::max(*limits_.usd, used.usd);
    if (limits_.tokens && used.tokens >= *limits_.tokens)
        more.tokens = 2 * std::max(*limits_.tokens, used.tokens);
    return more;
}

std::string Budget::text() const {
    const BudgetUse used = spent();
    std::string text;
    if (limits_.usd)
        text = base::concat(used.is_estimate ? "about " : "", dollars_text(used.usd), " of ",
                            dollars_text(*limits_.usd));
    if (limits_.tokens)
        text += base::concat(text.empty() ? "" : ", ", used.tokens, " of ",
                             base::counted(*limits_.tokens, "token"));
    return text;
}

}  // namespace workflow
