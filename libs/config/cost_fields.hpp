// The fields of a budget and of the prices of models. Internal to config/field_table.
#pragma once

#include "agent_driver/prices.hpp"
#include "base/limits.hpp"
#include "config/fields.hpp"

namespace config {

inline constexpr Field budget_fields[] = {
    {"usd",
     FieldType::number,
     false,
     "How much the agents may cost, in US dollars; no limit if absent. --budget-usd overrides it.",
     {.range = Range{.what = "a number", .least = base::least_dollars, .most = base::most_dollars}}},
    {"tokens",
     FieldType::number,
     false,
     "How many tokens the agents may use, input and output together; no limit if absent. --budget-tokens "
     "overrides it.",
     {.range = Range{.what = "a whole number", .least = 1, .most = base::most_tokens, .whole = true}}},
    {"warn_at",
     FieldType::number,
     false,
     "The part of the budget at which the run warns; 0.8 if absent.",
     {.range = Range{.what = "a number", .least = base::least_part, .most = 1}}},
};

inline constexpr Range price_range = {.what = "a number", .most = agent_driver::highest_price};

inline constexpr Field prices_fields[] = {
    {"input", FieldType::number, true, "For a million tokens that the model reads.", {.range = price_range}},
    {"cached",
     FieldType::number,
     false,
     "For a million of those that come from the provider's cache; as \"input\" if absent.",
     {.range = price_range}},
    {"output",
     FieldType::number,
     true,
     "For a million tokens that the model writes.",
     {.range = price_range}},
};

}  // namespace config
