// The budget of a run: what counts, when it warns, and when it is spent.
#include "workflow/budget.hpp"

#include <catch2/catch.hpp>

using namespace workflow;
using pool_protocol::AgentReport;

namespace {

AgentReport report(std::uint64_t input, std::uint64_t output, std::optional<double> usd) {
    AgentReport report;
    report.kind = "claude";
    report.input_tokens = input;
    report.output_tokens = output;
    report.usd = usd;
    return report;
}

Budget dollars(double usd, double warn_at = 0.8) {
    return {{usd, std::nullopt, warn_at}, {}};
}

Budget tokens(std::uint64_t count) {
    return {{std::nullopt, count}, {}};
}

}  // namespace

TEST_CASE("a budget is spent when a limit is reached exactly") {
    Budget budget = dollars(1);
    for (int i = 0; i < 9; ++i)
        budget.ended({2, 0.1});
    CHECK_FALSE(budget.is_spent());
    budget.ended({2, 0.1});
    CHECK(budget.is_spent());
    CHECK(budget.text() == "$1.00 of $1.00");
}

TEST_CASE("what is an estimate in part is one") {
    Budget budget = dollars(1);
    budget.ended({2, 0.5});
    budget.running({2, 0.25, true});
    CHECK(budget.text() == "about $0.75 of $1.00");
    budget.running({});
    CHECK(budget.text() == "$0.50 of $1.00");
    AgentReport listed = report(1, 1, 0.5);
    listed.price_list = "2026-08-21";
    budget.ended(budget_use_of(listed));
    budget.ended({1, 0});
    CHECK(budget.text() == "about $1.00 of $1.00");
    Usage before;
    before.price_list = "2026-08-21";
    CHECK(Budget({1.0, std::nullopt}, before).text() == "about $0.00 of $1.00");
}

TEST_CASE("tokens are input and output; either limit ends a budget with both") {
    Budget budget = tokens(100);
    budget.ended(budget_use_of(report(60, 39, std::nullopt)));
    CHECK_FALSE(budget.is_spent());
    budget.ended(budget_use_of(report(0, 1, std::nullopt)));
    CHECK(budget.is_spent());
    Budget both({1.0, 100}, {});
    both.ended({100, 0.01});
    CHECK(both.is_spent());
    CHECK(both.text() == "$0.0100 of $1.00, 100 of 100 tokens");
    CHECK_FALSE(both.more().usd);
    CHECK(both.more().tokens == 200);
}

TEST_CASE("it warns once, at the part of either limit") {
    Budget budget = dollars(10, 0.5);
    budget.ended({2, 4.9});
    CHECK_FALSE(budget.take_warning());
    budget.running({5, 0.2});
    CHECK(budget.take_warning());
    CHECK_FALSE(budget.take_warning());
    CHECK_FALSE(budget.is_spent());
}

TEST_CASE("what running attempts have used is replaced, what has ended stays") {
    Budget budget = dollars(10);
    budget.running({100, 4});
    budget.running({200, 6});
    CHECK(budget.spent() == BudgetUse{200, 6});
    budget.ended({250, 7});
    budget.running({});
    CHECK(budget.spent() == BudgetUse{250, 7});
    budget.running({10, 1});
    CHECK(budget.spent() == BudgetUse{260, 8});
}

TEST_CASE("what was spent before a run was resumed counts") {
    Usage before;
    before.input_tokens = 70;
    before.output_tokens = 30;
    before.usd = 3;
    CHECK(Budget({3.0, std::nullopt}, before).is_spent());
    CHECK(Budget({std::nullopt, 100}, before).is_spent());
    CHECK_FALSE(Budget({3.5, 101}, before).is_spent());
}

TEST_CASE("with more, a resumed run can go on") {
    Budget budget = dollars(10);
    budget.ended({2, 12});
    CHECK(budget.more().usd == 24.0);
    CHECK_FALSE(budget.more().tokens);
    CHECK_FALSE(dollars(10).more().usd);
}
