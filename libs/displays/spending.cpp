#include "displays/spending.hpp"

#include "base/text.hpp"

namespace displays {

namespace {

progress::Amounts amounts_of(const workflow::Usage& usage) {
    progress::Amounts amounts{usage.input_tokens, usage.cached_tokens, usage.output_tokens};
    if (usage.priced > 0) amounts.usd = usage.usd;
    amounts.lacks_prices = usage.priced < usage.reports;
    amounts.is_estimate = !usage.price_list.empty();
    return amounts;
}

std::string headline_text(const workflow::Usage& total, const workflow::Budget* budget) {
    if (budget != nullptr) return "spent " + budget->text();
    if (total.priced > 0) return "spent " + workflow::cost_text(total);
    return base::counted(total.input_tokens + total.output_tokens, "token");
}

}  // namespace

progress::Spending spending_of(const workflow::UsageTable& usage, const workflow::Budget* budget,
                               const std::vector<std::size_t>& rows) {
    workflow::Usage total = usage.total();
    progress::Spending spending{amounts_of(total), headline_text(total, budget), {}};
    for (const auto& [key, used] : usage.rows())
        spending.rows.push_back({rows.at(key.step.value), key.kind, key.model, amounts_of(used)});
    return spending;
}

}  // namespace displays
