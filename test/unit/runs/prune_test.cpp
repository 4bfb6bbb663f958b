#include "runs/prune.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

namespace {

using namespace runs;
using Indices = std::vector<std::size_t>;

Time day(int number) {
    return Time(std::chrono::days(number));
}

PruneCandidate run(RunState state, int start, int end) {
    bool is_resumable = state == RunState::lost || state == RunState::interrupted;
    return {state, is_resumable, day(start), day(end)};
}

const Time now = day(100);
const Age ten_days = std::chrono::days(10);

// Of all states; the first three ended long ago, the others lately.
const std::vector<PruneCandidate> candidates{
    run(RunState::finished, 1, 2), run(RunState::lost, 3, 4),         run(RunState::failed, 5, 6),
    run(RunState::running, 7, 7),  run(RunState::interrupted, 8, 95), run(RunState::resumed, 9, 98)};

}  // namespace

TEST_CASE("an age is a number with a unit") {
    CHECK(parse_age("30d") == std::chrono::days(30));
    CHECK(parse_age("2w") == std::chrono::weeks(2));
    CHECK(parse_age("12h") == std::chrono::hours(12));
    CHECK(parse_age("45m") == std::chrono::minutes(45));
    CHECK(parse_age("0s") == Age(0));
    CHECK(parse_age("+1d") == std::chrono::days(1));
    CHECK(parse_age("10000w") == std::chrono::weeks(10'000));
    for (const char* bad :
         {"", "d", "30", "-1d", "1.5d", "30 d", "30x", "10001w", "99999999999d", "3d4h", "+-1d"})
        CHECK_FALSE(parse_age(bad));
}

TEST_CASE("without a rule, runs go that ended 30 days ago and cannot be resumed") {
    CHECK(runs_to_prune(candidates, {}, now) == Indices{0, 2});
    CHECK(runs_to_prune({run(RunState::finished, 1, 70)}, {}, now) == Indices{0});
    CHECK(runs_to_prune({run(RunState::finished, 1, 71)}, {}, now).empty());
}

TEST_CASE("a paused run is never removed") {
    CHECK(runs_to_prune({run(RunState::paused, 1, 1)}, {Age(0), 0}, now).empty());
}

TEST_CASE("with an age, runs that can be resumed go as well") {
    CHECK(runs_to_prune(candidates, {ten_days, {}}, now) == Indices{0, 1, 2});
    CHECK(runs_to_prune(candidates, {Age(0), {}}, now) == Indices{0, 1, 2, 4, 5});
}

TEST_CASE("the newest runs are kept of those that would go") {
    CHECK(runs_to_prune(candidates, {{}, 0}, now) == Indices{0, 2, 5});
    CHECK(runs_to_prune(candidates, {{}, 1}, now) == Indices{0, 2});
    CHECK(runs_to_prune(candidates, {{}, 7}, now).empty());
    CHECK(runs_to_prune(candidates, {ten_days, 3}, now) == Indices{0, 1});
    CHECK(runs_to_prune({run(RunState::finished, 2, 3), run(RunState::finished, 1, 3)}, {{}, 1}, now) ==
          Indices{1});
}

TEST_CASE("the oldest go until the runs take no more than a size") {
    auto sized = candidates;
    for (PruneCandidate& candidate : sized)
        candidate.bytes = 10;
    auto with = [&](PruneRule rule, std::uint64_t max_bytes) {
        rule.max_bytes = max_bytes;
        return runs_to_prune(sized, rule, now);
    };
    CHECK(with({}, 60).empty());
    CHECK(with({}, 59) == Indices{0});
    CHECK(with({}, 50) == Indices{0});
    CHECK(with({}, 49) == Indices{0, 2});
    CHECK(with({}, 0) == Indices{0, 2, 5});          // the others live, or can be resumed
    CHECK(with({ten_days}, 0) == Indices{0, 1, 2});  // and the others are too young
    CHECK(with({ten_days}, 45) == Indices{0, 1});
    CHECK(with({{}, 2}, 0) == Indices{0});
}

// Otherwise the resumed one could be resumed again, and its tasks would be done twice.
TEST_CASE("a run never goes without the one that it resumes, and never while it is running") {
    std::mt19937 random(15);
    auto up_to = [&](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
    constexpr std::array states{RunState::running, RunState::finished, RunState::failed,
                                RunState::interrupted, RunState::lost};
    for (int round = 0; round < 2000; ++round) {
        std::vector<PruneCandidate> chain;
        for (int i = 0, links = 1 + up_to(5), time = 0; i <= links; ++i) {
            RunState state = i < links ? RunState::resumed : states.at(static_cast<std::size_t>(up_to(4)));
            int start = time += up_to(20);
            chain.push_back(run(state, start, time += up_to(20)));
        }
        PruneRule rule;
        if (up_to(1)) rule.older_than = std::chrono::days(up_to(100));
        if (up_to(1)) rule.keep = static_cast<std::size_t>(up_to(3));
        for (PruneCandidate& candidate : chain)
            candidate.bytes = static_cast<std::uint64_t>(up_to(10));
        if (up_to(1)) rule.max_bytes = static_cast<std::uint64_t>(up_to(30));
        auto removed = runs_to_prune(chain, rule, now);
        REQUIRE(std::ranges::is_sorted(removed));
        for (std::size_t index : removed) {
            CHECK_FALSE(is_living(chain[index].state));
            CHECK((index == 0 || std::ranges::binary_search(removed, index - 1)));
        }
    }
}
