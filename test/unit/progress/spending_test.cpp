#include "progress/spending.hpp"

#include "progress/summary.hpp"
#include "runs.hpp"

#include <catch2/catch.hpp>

using namespace runs;
using progress::Amounts;
using progress::Spending;

TEST_CASE("tokens are few characters") {
    CHECK(progress::tokens_text(0) == "0");
    CHECK(progress::tokens_text(999) == "999");
    CHECK(progress::tokens_text(1000) == "1.0k");
    CHECK(progress::tokens_text(9'999) == "9.9k");
    CHECK(progress::tokens_text(83'700) == "83k");
    CHECK(progress::tokens_text(999'999) == "999k");
    CHECK(progress::tokens_text(1'270'000) == "1.2M");
    CHECK(progress::tokens_text(1'000'000'000'000'000) == "1000T");
}

TEST_CASE("a cost is told as far as it is known") {
    CHECK(progress::cost_text({1, 0, 0, 1.27, false}) == "$1.27");
    CHECK(progress::cost_text({1, 0, 0, 1.27, true}) == "≥$1.27");
    CHECK(progress::cost_text({1, 0, 0, {}, true}).empty());
    Amounts sum{1, 0, 2, {}, true};
    sum += {3, 1, 4, 0.5, false};
    CHECK(sum.tokens() == 10);
    CHECK(progress::cost_text(sum) == "≥$0.50");
}

TEST_CASE("the summary line tells what was spent by step, agent and model") {
    CHECK(
        progress::summary_line(small(), std::nullopt, spent(), at(500ms))
            .find(
                "; spent $1.48 of $25.00; by step: Measure ≥$1.48 (95k tokens), Record $0.0012 (812 tokens); "
                "by agent: claude $1.27 (55k tokens), codex ≥$0.21 (40k tokens); "
                "by model: opus $1.27 (55k tokens), gpt-5.2 ≥$0.21 (40k tokens); longest: ") !=
        std::string::npos);
}

TEST_CASE("one agent with one model needs no line") {
    Spending spending{{900, 0, 100}, "1000 tokens", {{1, "codex", "m", {900, 0, 100}}}};
    CHECK(progress::by_agent_text(spending).empty());
    CHECK(progress::by_model_text(spending).empty());
    CHECK(progress::by_step_text(spending, small().steps()).empty());
}

TEST_CASE("of many only the largest are named, and without control characters") {
    Spending spending;
    for (std::uint64_t i = 0; i < 100; ++i)
        spending.rows.push_back({0, "kind" + std::to_string(i), "", {i, 0, 0, {}, true}});
    spending.rows.push_back({0, "", "", {40, 0, 0, 0.2, false}});
    spending.rows.push_back({0, "a\x1b[2J", "", {1, 0, 0, 0.1, false}});
    CHECK(progress::by_agent_text(spending) ==
          "by agent: others $0.20 (40 tokens), a?[2J $0.10 (1 tokens), kind99 99 tokens and 99 more");
    CHECK(progress::by_model_text(spending) ==
          "by model: others $0.20 (40 tokens), unknown ≥$0.10 (4.9k tokens)");
}

TEST_CASE("those that have used the same are in the order of their names") {
    Spending spending;
    for (const char* kind : {"b", "c", "a"})
        spending.rows.push_back({0, kind, "m", {5, 0, 0, {}, true}});
    CHECK(progress::by_agent_text(spending) == "by agent: a 5 tokens, b 5 tokens, c 5 tokens");
}
