// What models cost by their providers' lists.
#include "agent_driver/list_prices.hpp"

#include "agent_driver/agent_text.hpp"
#include "agent_driver/settings.hpp"

#include <catch2/catch.hpp>

using namespace agent_driver;

TEST_CASE("a model has the price of its provider's list, whatever its version") {
    const ListPrice* price = list_price(AgentKind::codex, "gpt-5.5");
    REQUIRE(price != nullptr);
    CHECK(price->prices == Prices{5, 0.5, 30});
    CHECK(price->date == "2026-08-21");
    CHECK(list_price(AgentKind::codex, "gpt-5.5-2026-04-23") == price);
    CHECK(list_price(AgentKind::gemini, "gemini-3.1-pro-preview")->prices == Prices{2, 0.2, 12});
}

TEST_CASE("a model that only begins like one of the list is not known") {
    for (const char* model : {"", "gpt", "gpt-5.55", "gpt-5-pro", "gpt-5.6-other", "gemini-3.1-pro-preview"})
        CHECK(list_price(AgentKind::codex, model) == nullptr);
    CHECK(list_price(AgentKind::claude, "gpt-5.5") == nullptr);
    CHECK(list_price(AgentKind::acp, "gpt-5.5") == nullptr);
}

TEST_CASE("a budget in dollars takes agents of a model that is in the list") {
    CHECK(unknown_cost(parse_agent_text("codex,model=gpt-5.5").value().settings).empty());
    CHECK_THAT(
        unknown_cost(parse_agent_text("codex,model=gpt-99").value().settings),
        Catch::StartsWith("codex does not tell what a task costs, and the price of gpt-99 is not known"));
}
