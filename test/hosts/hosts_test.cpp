// Random histories of a pool over several hosts, against the oracle. A failure prints the seed of the
// history: BARNUM_RANDOM_SEED=SEED runs that alone, and prints what happens in it.
#include "history.hpp"
#include "random.hpp"

#include <catch2/catch.hpp>

TEST_CASE("no task is lost, answered twice or done twice, whatever fails") {
    if (auto only = workflow_test::from_environment("BARNUM_RANDOM_SEED")) {
        std::string violation = hosts::run_history(*only, true);
        INFO(violation);
        CHECK(violation.empty());
        return;
    }
    std::uint32_t count = workflow_test::from_environment("BARNUM_RANDOM_SEQUENCES")
                              .value_or(workflow_test::scaled(20000, 2000));
    for (std::uint32_t number = 0; number < count; ++number) {
        std::uint32_t seed = workflow_test::first_seed() + number;
        std::string violation = hosts::run_history(seed, false);
        INFO("seed " << seed << ": " << violation);
        REQUIRE(violation.empty());
    }
}
