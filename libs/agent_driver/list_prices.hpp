// What models cost by the public price lists of their providers, for programs that tell tokens and no cost.
// An estimate: whoever has a subscription, a discount or another provider pays something else. Pure.
#pragma once

#include "agent_driver/prices.hpp"

#include <string_view>

namespace agent_driver {

enum class AgentKind;

struct ListPrice {
    std::string_view model;
    std::string_view date;  // when the provider's list said so: "2026-08-21"
    Prices prices;
};

// Null if no list of that kind's provider has the model. A date at the end of the model's name does not
// matter.
const ListPrice* list_price(AgentKind kind, std::string_view model);

}  // namespace agent_driver
