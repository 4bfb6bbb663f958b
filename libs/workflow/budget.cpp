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
    return {report.input_tokens + report.output_tokens, report.usd.value_or(0)};
}

BudgetUse budget_use_of(const pool_protocol::AgentActivity& activity) {
    return {activity.input_tokens + activity.output_tokens, activity.usd.value_or(0)};
}

Budget::Budget(config::BudgetLimits limits, const Usage& before)
    : limits_(limits), spent_{before.input_tokens + before.output_tokens, before.usd} {}

void Budget::replace(Running& running, const BudgetUse& so_far) {
    spent_.tokens += so_far.tokens - running.so_far.tokens;
    spent_.usd += so_far.usd - running.so_far.usd;
    running.so_far = so_far;
}

void Budget::used(TaskId task, const BudgetUse& so_far) {
    Running& running = running_[task];
    if (running.has_left) {
        running.earlier.tokens += running.so_far.tokens;
        running.earlier.usd += running.so_far.usd;
        running.so_far = BudgetUse();
        running.has_left = false;
    }
    replace(running, so_far);
}

void Budget::agent_left(TaskId task) {
    auto running = running_.find(task);
    if (running != running_.end()) running->second.has_left = true;
}

// It may arrive after agent_left().
void Budget::reported(TaskId task, const pool_protocol::AgentReport& report) {
    Running& running = running_[task];
    if (report.agents > 1) {
        running.so_far.tokens += running.earlier.tokens;
        running.so_far.usd += running.earlier.usd;
        running.earlier = BudgetUse();
    }
    replace(running, budget_use_of(report));
}

void Budget::ended(TaskId task, const std::optional<pool_protocol::AgentReport>& report) {
    if (report) reported(task, *report);
    running_.erase(task);
}

bool Budget::reaches(double part) const {
    bool usd = limits_.usd && reaches_usd(spent_.usd, *limits_.usd * part);
    bool tokens =
        limits_.tokens && static_cast<double>(spent_.tokens) >= static_cast<double>(*limits_.tokens) * part;
    return usd || tokens;
}

bool Budget::is_spent() const {
    return reaches(1);
}

bool Budget::take_warning() {
    return !has_warned_ && reaches(limits_.warn_at) && !std::exchange(has_warned_, true);
}

config::BudgetLimits Budget::more() const {
    config::BudgetLimits more;
    if (limits_.usd && reaches_usd(spent_.usd, *limits_.usd))
        more.usd = 2 * std::max(*limits_.usd, spent_.usd);
    if (limits_.tokens && spent_.tokens >= *limits_.tokens)
        more.tokens = 2 * std::max(*limits_.tokens, spent_.tokens);
    return more;
}

std::string Budget::text() const {
    std::string text;
    if (limits_.usd) text = base::concat(dollars_text(spent_.usd), " of ", dollars_text(*limits_.usd));
    if (limits_.tokens)
        text += base::concat(text.empty() ? "" : ", ", spent_.tokens, " of ",
                             base::counted(*limits_.tokens, "token"));
    return text;
}

}  // namespace workflow
