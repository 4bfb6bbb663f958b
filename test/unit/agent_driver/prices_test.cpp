// Prices of tokens, and what a task costs by them.
#include "agent_driver/prices.hpp"

#include "agent_driver/actions.hpp"
#include "agent_driver/agent_text.hpp"

#include <catch2/catch.hpp>

using namespace agent_driver;
using Texts = std::vector<std::string>;

namespace {

std::string problem(const Texts& texts) {
    auto prices = parse_prices(texts);
    return prices ? "" : prices.error().message;
}

std::string agent_problem(std::string_view text) {
    Settings settings = parse_agent_text(text).value().settings;
    settings.directory = "/";
    auto checked = check(settings);
    return checked ? "" : checked.error().message;
}

}  // namespace

TEST_CASE("cached tokens are a part of the input, and have their own price or that of the input") {
    Usage usage{1'000'000, 400'000, 200'000, std::nullopt, 3};
    CHECK(cost({3, 0.5, 15}, usage) == Approx(1.8 + 0.2 + 3));
    CHECK(cost({3, std::nullopt, 15}, usage) == Approx(3 + 3));
    CHECK(cost({3, 0, 15}, usage) == Approx(1.8 + 3));
    CHECK(cost({3, 0.5, 15}, {100, 900, 0, std::nullopt, 1}) == Approx(0.00005));
}

TEST_CASE("prices are a list of texts, in any order") {
    auto prices = parse_prices({"output=15", "input=3", "cached=0.25"}).value();
    CHECK(prices == Prices{3, 0.25, 15});
    CHECK(texts_of(prices) == Texts{"input=3", "cached=0.25", "output=15"});
    CHECK(texts_of(parse_prices({"input=0", "output=1e3"}).value()) == Texts{"input=0", "output=1000"});
}

TEST_CASE("prices that are none") {
    for (const char* text :
         {"inptu=3", "input", "input=", "input=x", "input=-1", "input=1000001", "input=nan", "=3", ""})
        CHECK_THAT(problem({text, "output=1"}), Catch::StartsWith("prices must be input=X, output=X") &&
                                                    Catch::Contains("not \"" + std::string(text) + "\""));
    CHECK_THAT(problem({"inptu=3"}), Catch::EndsWith("did you mean \"input\"?"));
    CHECK_THAT(problem({"input=3"}), Catch::Contains("the price of input and that of output"));
    CHECK_THAT(problem({"output=3", "cached=1"}), Catch::Contains("the price of input and that of output"));
    CHECK(problem({"input=3", "input=3", "output=1"}) == "prices has input twice");
}

TEST_CASE("the prices of an agent's text are read back") {
    auto group = parse_agent_text("codex=2,prices=input=3,prices=output=15,prices=cached=0.3").value();
    CHECK(group.settings.prices == Prices{3, 0.3, 15});
    CHECK(agent_text(group) == "codex=2,prices=input=3,prices=cached=0.3,prices=output=15");
}

TEST_CASE("kinds whose tasks have no price, and those that need one") {
    std::string prices = ",prices=input=3,prices=output=15";
    CHECK(agent_problem("claude" + prices) ==
          "prices is not available for claude: the program tells what a task costs");
    CHECK(agent_problem("codex" + prices).empty());
    CHECK(agent_problem("gemini" + prices).empty());
    CHECK(agent_problem("exec,exec=x" + prices) ==
          "prices is not available for exec: a command does not tell how many tokens a task uses");
    CHECK_THAT(agent_problem("acp,exec=x" + prices), Catch::StartsWith("prices is not available for acp: "));
    for (const char* known : {"claude", "exec,exec=x", "codex,prices=input=1,prices=output=1"})
        CHECK(unknown_cost(parse_agent_text(known).value().settings).empty());
    CHECK_THAT(unknown_cost(parse_agent_text("codex").value().settings),
               Catch::StartsWith("codex does not tell what a task costs; give its agents prices"));
    CHECK_THAT(unknown_cost(parse_agent_text("acp,exec=x").value().settings),
               Catch::Contains("acp is not known"));
}
