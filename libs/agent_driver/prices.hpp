// What a model costs, for programs that do not tell the cost of a task. Pure.
#pragma once

#include "base/error.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agent_driver {

struct Usage;  // agent_driver/actions.hpp

// Prices in US dollars for a million tokens; finite, never negative.
struct Prices {
    double input = 0;
    std::optional<double> cached;  // for input from the provider's cache; if absent, as other input
    double output = 0;

    friend bool operator==(const Prices&, const Prices&) = default;
};

inline constexpr double highest_price = 1'000'000;

// The cost in US dollars.
double cost(const Prices& prices, const Usage& usage);

// "input=3", "cached=0.3" and "output=15", in any order; only "cached" may be absent. The error begins with
// "prices" and says what is allowed.
base::Result<Prices> parse_prices(const std::vector<std::string>& texts);
// The reverse.
std::vector<std::string> texts_of(const Prices& prices);

}  // namespace agent_driver
