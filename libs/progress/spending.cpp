#include "progress/spending.hpp"

#include "base/dollars.hpp"
#include "base/text.hpp"
#include "terminal/width.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

namespace progress {

namespace {

constexpr std::size_t most_named = 3;

using Sum = std::pair<std::string, Amounts>;

using Sums = std::map<std::string, Amounts>;

std::string kind_of(const AgentUsage& row) {
    return row.kind.empty() ? "others" : row.kind;
}

std::string model_of(const AgentUsage& row) {
    if (!row.model.empty()) return row.model;
    return row.kind.empty() ? "others" : "unknown";
}

bool comes_before(const Sum& a, const Sum& b) {
    auto size = [](const Amounts& amounts) { return std::pair(amounts.usd.value_or(0), amounts.tokens()); };
    return std::pair(size(b.second), a.first) < std::pair(size(a.second), b.first);
}

template<class NameOf>
Sums sums_by(const NameOf& name_of, const Spending& spending) {
    Sums sums;
    for (const AgentUsage& row : spending.rows)
        sums[name_of(row)] += row.amounts;
    return sums;
}

std::string sum_text(const Sum& sum) {
    std::string name = terminal::printable(sum.first);
    std::string tokens = tokens_text(sum.second.tokens()) + " tokens";
    if (!sum.second.usd) return base::concat(name, " ", tokens);
    return base::concat(name, " ", cost_text(sum.second), " (", tokens, ")");
}

std::string sums_text(std::string_view heading, const Sums& sums) {
    if (sums.size() < 2) return "";
    std::vector<Sum> sorted(sums.begin(), sums.end());
    std::sort(sorted.begin(), sorted.end(), comes_before);
    std::string text(heading);
    for (std::size_t i = 0; i < std::min(sorted.size(), most_named); ++i)
        text += base::concat(i == 0 ? " " : ", ", sum_text(sorted[i]));
    if (sorted.size() > most_named) text += base::concat(" and ", sorted.size() - most_named, " more");
    return text;
}

}  // namespace

Amounts& Amounts::operator+=(const Amounts& other) {
    input_tokens += other.input_tokens;
    cached_tokens += other.cached_tokens;
    output_tokens += other.output_tokens;
    if (other.usd) usd = usd.value_or(0) + *other.usd;
    lacks_prices |= other.lacks_prices;
    is_estimate |= other.is_estimate;
    return *this;
}

std::vector<Amounts> by_step(const Spending& spending, const std::vector<Step>& steps) {
    std::vector<Amounts> sums(steps.size());
    for (const AgentUsage& row : spending.rows)
        sums.at(row.step) += row.amounts;
    return sums;
}

std::string by_step_text(const Spending& spending, const std::vector<Step>& steps) {
    auto name_of = [&](const AgentUsage& row) { return steps.at(row.step).name; };
    return sums_text("by step:", sums_by(name_of, spending));
}

std::string by_agent_text(const Spending& spending) {
    return sums_text("by agent:", sums_by(kind_of, spending));
}

std::string by_model_text(const Spending& spending) {
    return sums_text("by model:", sums_by(model_of, spending));
}

std::string tokens_text(std::uint64_t tokens) {
    constexpr std::array<std::string_view, 4> units{"k", "M", "G", "T"};
    if (tokens < 1000) return std::to_string(tokens);
    std::size_t unit = 0;
    std::uint64_t size = 1000;
    while (unit + 1 < units.size() && tokens / size >= 1000) {
        size *= 1000;
        ++unit;
    }
    std::uint64_t whole = tokens / size;
    std::string tenths = whole < 10 ? base::concat(".", tokens % size * 10 / size) : "";
    return base::concat(whole, tenths, units[unit]);
}

std::string cost_text(const Amounts& amounts) {
    if (!amounts.usd) return "";
    return base::concat(amounts.lacks_prices ? "≥" : "", amounts.is_estimate ? "~" : "",
                        base::dollars_text(*amounts.usd));
}

}  // namespace progress
