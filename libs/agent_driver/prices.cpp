#include "agent_driver/prices.hpp"

#include "agent_driver/actions.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "json/json.hpp"
#include "json/number.hpp"
#include "json/suggest.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace agent_driver {

namespace {

constexpr double million = 1e6;
constexpr std::array<std::string_view, 3> names{"input", "cached", "output"};

base::Error wrong(const std::string& text) {
    std::size_t sign = text.find('=');
    std::string hint = sign == std::string::npos ? "" : json::did_you_mean(text.substr(0, sign), names);
    return base::invalid(base::concat(
        "prices must be input=X, output=X and if you like cached=X, each a number from 0 to ",
        static_cast<int>(highest_price), " (dollars per million tokens), not ", json::quote(text), hint));
}

std::optional<double> price_in(std::string_view text) {
    auto price = base::parse_number<double>(text);
    return price && *price >= 0 && *price <= highest_price ? price : std::nullopt;
}

std::string text_of(std::string_view name, double price) {
    return base::concat(name, "=", json::number_text(price));
}

}  // namespace

// An agent may report more cached tokens than input.
double cost(const Prices& prices, const Usage& usage) {
    auto cached = std::min(usage.cached, usage.input);
    return (static_cast<double>(usage.input - cached) * prices.input +
            static_cast<double>(cached) * prices.cached.value_or(prices.input) +
            static_cast<double>(usage.output) * prices.output) /
           million;
}

base::Result<Prices> parse_prices(const std::vector<std::string>& texts) {
    std::map<std::string_view, double> found;
    for (const std::string& text : texts) {
        std::size_t sign = std::min(text.find('='), text.size());
        auto name = std::ranges::find(names, std::string_view(text).substr(0, sign));
        auto price = price_in(std::string_view(text).substr(std::min(sign + 1, text.size())));
        if (name == names.end() || !price) return wrong(text);
        if (!found.emplace(*name, *price).second)
            return base::invalid(base::concat("prices has ", *name, " twice"));
    }
    if (!found.contains("input") || !found.contains("output"))
        return base::invalid("prices must have the price of input and that of output: input=3, output=15");
    Prices prices{found["input"], std::nullopt, found["output"]};
    if (found.contains("cached")) prices.cached = found["cached"];
    return prices;
}

std::vector<std::string> texts_of(const Prices& prices) {
    std::vector<std::string> texts{text_of("input", prices.input)};
    if (prices.cached) texts.push_back(text_of("cached", *prices.cached));
    texts.push_back(text_of("output", prices.output));
    return texts;
}

}  // namespace agent_driver
