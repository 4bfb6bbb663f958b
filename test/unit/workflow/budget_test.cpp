// The budget of a run: what counts, when it warns, and when it is spent.
#include "workflow/budget.hpp"

#include "random.hpp"

#include <catch2/catch.hpp>

#include <map>

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
    for (std::uint64_t task = 0; task < 9; ++task)
        budget.ended({task}, report(1, 1, 0.1));
    CHECK_FALSE(budget.is_spent());
    budget.ended({9}, report(1, 1, 0.1));
    CHECK(budget.is_spent());
    CHECK(budget.text() == "$1.00 of $1.00");
}

TEST_CASE("tokens are input and output; either limit ends a budget with both") {
    Budget budget = tokens(100);
    budget.ended({1}, report(60, 39, std::nullopt));
    CHECK_FALSE(budget.is_spent());
    budget.ended({2}, report(0, 1, std::nullopt));
    CHECK(budget.is_spent());
    Budget both({1.0, 100}, {});
    both.ended({1}, report(60, 40, 0.01));
    CHECK(both.is_spent());
    CHECK(both.text() == "$0.0100 of $1.00, 100 of 100 tokens");
    CHECK_FALSE(both.more().usd);
    CHECK(both.more().tokens == 200);
}

TEST_CASE("a report about several agents replaces what each of them has told") {
    Budget budget = tokens(1000);
    budget.used({1}, {100, 0});
    budget.agent_left({1});
    budget.used({1}, {50, 0});
    CHECK(budget.spent().tokens == 150);
    AgentReport all = report(120, 60, std::nullopt);
    all.agents = 2;
    budget.ended({1}, all);
    CHECK(budget.spent().tokens == 180);
    budget.used({2}, {100, 0});
    budget.agent_left({2});
    budget.used({2}, {50, 0});
    budget.ended({2}, report(40, 20, std::nullopt));  // of the last one: an older daemon adds nothing up
    CHECK(budget.spent().tokens == 340);
}

TEST_CASE("it warns once, at the part of either limit") {
    Budget budget = dollars(10, 0.5);
    budget.ended({1}, report(1, 1, 4.9));
    CHECK_FALSE(budget.take_warning());
    budget.used({2}, {5, 0.2});
    CHECK(budget.take_warning());
    CHECK_FALSE(budget.take_warning());
    CHECK_FALSE(budget.is_spent());
}

TEST_CASE("the usage of a running attempt is replaced, and replaced again by its report") {
    Budget budget = dollars(10);
    budget.used({1}, {100, 4});
    budget.used({1}, {200, 6});
    CHECK(budget.spent().usd == Approx(6));
    budget.ended({1}, report(150, 100, 7));
    CHECK(budget.spent().usd == Approx(7));
    CHECK(budget.spent().tokens == 250);
    budget.used({2}, {10, 1});
    budget.ended({2}, std::nullopt);  // it was spent, although nobody has reported it
    CHECK(budget.spent().usd == Approx(8));
}

TEST_CASE("what an agent used before it handed its task back stays spent") {
    Budget budget = dollars(10);
    budget.used({1}, {100, 4});
    budget.agent_left({1});
    budget.used({1}, {10, 1});
    CHECK(budget.spent().usd == Approx(5));
    budget.ended({1}, report(10, 10, 2));
    CHECK(budget.spent().usd == Approx(6));
}

TEST_CASE("the report of an agent that has left counts once") {
    Budget budget = dollars(10);
    budget.used({1}, {100, 4});
    budget.agent_left({1});
    budget.reported({1}, report(60, 60, 5));
    CHECK(budget.spent().usd == Approx(5));
    budget.ended({1}, report(60, 60, 5));
    CHECK(budget.spent().usd == Approx(5));
    CHECK(budget.spent().tokens == 120);
    budget.agent_left({2});
    CHECK(budget.spent().usd == Approx(5));
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
    budget.ended({1}, report(1, 1, 12));
    CHECK(budget.more().usd == 24.0);
    CHECK_FALSE(budget.more().tokens);
    CHECK_FALSE(dollars(10).more().usd);
}

TEST_CASE("random usage adds up") {
    std::uint32_t sequences = workflow_test::scaled(2000, 200);
    for (std::uint32_t seed = 0; seed < sequences; ++seed) {
        workflow_test::Random random(seed);
        INFO("seed " << seed);
        std::uint64_t limit = 1 + random.below(2000);
        Budget budget({static_cast<double>(limit) / 100, limit, 0.5}, {});
        std::map<std::uint64_t, std::uint64_t> of_task;  // tokens, each of which costs a cent
        bool has_warned = false;
        for (int i = 0; i < 50; ++i) {
            std::uint64_t task = random.below(6);
            std::uint64_t amount = random.below(200);
            if (random.one_in(3)) {
                bool reports = !random.one_in(3);
                std::uint64_t number = 1000 + static_cast<std::uint64_t>(i);  // the number is not used again
                if (reports) of_task[task] = amount;
                of_task[number] = of_task[task];
                of_task.erase(task);
                budget.ended({task}, reports
                                         ? std::optional(report(amount, 0, static_cast<double>(amount) / 100))
                                         : std::nullopt);
            } else {
                of_task[task] = amount;
                budget.used({task}, {amount, static_cast<double>(amount) / 100});
            }
            std::uint64_t sum = 0;
            for (const auto& [_, used] : of_task)
                sum += used;
            REQUIRE(budget.spent().tokens == sum);
            REQUIRE(budget.spent().usd == Approx(static_cast<double>(sum) / 100).margin(1e-9));
            REQUIRE(budget.is_spent() == (sum >= limit));
            bool warns = !has_warned && 2 * sum >= limit;
            REQUIRE(budget.take_warning() == warns);
            has_warned = has_warned || warns;
        }
    }
}
