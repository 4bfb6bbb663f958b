// The budget of a config, and the prices that it needs.
#include "load_helper.hpp"

namespace {

using namespace config_test;

std::string with_budget(const std::string& budget, const std::string& agents = "[]") {
    return "{\"options\": {\"budget\": " + budget + "}, \"agents\": " + agents +
           R"(, "steps": [{"name": "A", "action": {"kind": "Command", "script": "true"}}]})";
}

std::string problem_of_budget(const std::string& budget, const std::string& agents = "[]") {
    return problems(load(with_budget(budget, agents)));
}

// What the schema for editors also finds.
std::string wrong_budget(const std::string& budget, const std::string& agents = "[]") {
    CHECK_FALSE(violation_of_schema_document(with_budget(budget, agents)).empty());
    return problem_of_budget(budget, agents);
}

std::string with_prices(const std::string& prices) {
    return R"([{"kind": "codex", "prices": )" + prices + "}]";
}

}  // namespace

TEST_CASE("a config has a budget") {
    auto budget = good(with_budget(R"({"usd": 2.5, "tokens": 5000000, "warn_at": 0.5})")).budget;
    REQUIRE(budget.has_value());
    CHECK(budget->usd == 2.5);
    CHECK(budget->tokens == 5'000'000U);
    CHECK(budget->warn_at == 0.5);
    budget = good(with_budget(R"({"tokens": 1})")).budget;
    CHECK_FALSE(budget->usd);
    CHECK(budget->warn_at == 0.8);
    CHECK_FALSE(
        good(R"({"steps": [{"name": "A", "action": {"kind": "Command", "script": "true"}}]})").budget);
}

TEST_CASE("budgets that are none") {
    CHECK_THAT(problem_of_budget("{}"), Catch::Contains(R"(a budget needs "usd", "tokens" or both)"));
    CHECK_THAT(problem_of_budget(R"({"warn_at": 0.5})"),
               Catch::Contains(R"(a budget needs "usd", "tokens" or both)"));
    for (const char* wrong :
         {R"({"usd": 0})", R"({"usd": -1})", R"({"usd": "1"})", R"({"tokens": 0})", R"({"tokens": 1.5})",
          R"({"usd": 1, "warn_at": 0})", R"({"usd": 1, "warn_at": 1.1})", R"({"usd": 1, "eur": 1})"}) {
        INFO(wrong);
        CHECK_FALSE(wrong_budget(wrong).empty());
        CHECK_THAT(problem_of_budget(wrong), !Catch::Contains("a budget needs"));
    }
}

TEST_CASE("agents have prices") {
    auto config =
        good(with_budget(R"({"usd": 1})", with_prices(R"({"input": 3, "cached": 0.3, "output": 15})")));
    CHECK(config.agents[0].settings.prices == agent_driver::Prices{3, 0.3, 15});
}

TEST_CASE("prices that are none") {
    for (const char* wrong :
         {R"({"input": 3})", R"({"output": 3})", R"({"input": -1, "output": 3})",
          R"({"input": 1, "output": 1000001})", R"({"inptu": 1, "input": 1, "output": 1})", "3"}) {
        INFO(wrong);
        std::string told = wrong_budget(R"({"tokens": 1})", with_prices(wrong));
        CHECK(std::count(told.begin(), told.end(), '\n') <= 1);
        CHECK_FALSE(told.empty());
    }
    CHECK_THAT(problem_of_budget(R"({"tokens": 1})",
                                 R"([{"kind": "exec", "exec": "x", "prices": {"input": 1, "output": 1}}])"),
               Catch::Contains("prices is not available for exec"));
}

TEST_CASE("a budget in dollars needs agents whose cost is known") {
    CHECK_THAT(problem_of_budget(R"({"usd": 1})", R"([{"kind": "claude"}, {"kind": "gemini"}])"),
               Catch::Contains("the budget is in dollars, and gemini does not tell what a task costs"));
    CHECK(problem_of_budget(R"({"tokens": 1})", R"([{"kind": "codex"}])").empty());
    CHECK(
        problem_of_budget(R"({"usd": 1})", R"([{"kind": "claude"}, {"kind": "exec", "exec": "x"}])").empty());
    CHECK(problem_of_budget(R"({"usd": 1})", with_prices(R"({"input": 3, "output": 15})")).empty());
}
