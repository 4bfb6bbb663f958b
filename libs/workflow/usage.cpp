#include "workflow/usage.hpp"

#include "base/dollars.hpp"
#include "base/text.hpp"

namespace workflow {

Usage usage_of(const pool_protocol::AgentReport& report) {
    return {1,
            static_cast<std::uint64_t>(report.repairs),
            static_cast<std::uint64_t>(report.turns),
            report.input_tokens,
            report.cached_tokens,
            report.output_tokens,
            report.usd ? 1U : 0U,
            report.usd.value_or(0),
            report.price_list};
}

std::string cost_text(const Usage& usage) {
    if (usage.priced == 0) return "-";
    return base::concat(usage.priced < usage.reports ? "at least " : "",
                        usage.price_list.empty() ? "" : "about ", base::dollars_text(usage.usd));
}

Usage& Usage::operator+=(const Usage& other) {
    reports += other.reports;
    repairs += other.repairs;
    turns += other.turns;
    input_tokens += other.input_tokens;
    cached_tokens += other.cached_tokens;
    output_tokens += other.output_tokens;
    priced += other.priced;
    usd += other.usd;
    if (price_list.empty() || (!other.price_list.empty() && other.price_list < price_list))
        price_list = other.price_list;
    return *this;
}

void UsageTable::add(config::StepId step, const pool_protocol::AgentReport& report) {
    UsageKey key{step, report.kind, report.model};
    if (rows_.size() >= max_rows && !rows_.contains(key)) key = {step, "", ""};
    rows_[key] += usage_of(report);
}

void UsageTable::add(config::StepId step, const pool_protocol::AgentActivity& used) {
    rows_[{step, "", ""}] += {1,
                              0,
                              static_cast<std::uint64_t>(used.turn),
                              used.input_tokens,
                              used.cached_tokens,
                              used.output_tokens,
                              used.usd ? 1U : 0U,
                              used.usd.value_or(0),
                              used.price_list};
}

void UsageTable::add(const UsageTable& other) {
    for (const auto& [key, usage] : other.rows_)
        rows_[rows_.size() >= max_rows && !rows_.contains(key) ? UsageKey{key.step, "", ""} : key] += usage;
}

Usage UsageTable::of(config::StepId step) const {
    Usage sum;
    for (auto row = rows_.lower_bound({step, "", ""}); row != rows_.end() && row->first.step == step; ++row)
        sum += row->second;
    return sum;
}

Usage UsageTable::total() const {
    Usage sum;
    for (const auto& [key, usage] : rows_)
        sum += usage;
    return sum;
}

}  // namespace workflow
