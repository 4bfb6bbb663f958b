// Random histories of a pool over several hosts, against the oracle. A history that is run alone prints what
// happens in it.
#include "history.hpp"
#include "seeds.hpp"

#include <catch2/catch.hpp>

TEST_CASE("no task is lost, answered twice or done twice, whatever fails") {
    bool is_alone = workflow_test::from_environment("BARNUM_RANDOM_SEED").has_value();
    workflow_test::for_each_seed(workflow_test::scaled(20000, 2000), {}, [&](std::uint32_t seed) {
        std::string violation = hosts::run_history(seed, is_alone);
        INFO(violation);
        REQUIRE(violation.empty());
    });
}
