#include "json/suggest.hpp"

#include <catch2/catch.hpp>

#include <array>

using json::did_you_mean;

TEST_CASE("a misspelling is told what it is near to, whatever its case") {
    constexpr std::array<std::string_view, 3> names{"start", "submit_task", "timeout"};
    CHECK(did_you_mean("strat", names) == "; did you mean \"start\"?");
    CHECK(did_you_mean("submittask", names) == "; did you mean \"submit_task\"?");
    CHECK(did_you_mean("Timeout", names) == "; did you mean \"timeout\"?");
}

TEST_CASE("a name that lacks a word is told the only one that has it whole") {
    constexpr std::array<std::string_view, 5> names{"timeout", "max_retries", "retry_on_timeout",
                                                    "retry_backoff", "max_concurrency"};
    CHECK(did_you_mean("retries", names) == "; did you mean \"max_retries\"?");
    for (std::string_view name : {"retry", "max", "tries", "concur"})
        CHECK(did_you_mean(name, names).empty());
}

TEST_CASE("what is near to nothing is told nothing") {
    constexpr std::array<std::string_view, 2> names{"start", "stop"};
    CHECK(did_you_mean("frobnicate", names).empty());
    CHECK(did_you_mean("x", {}).empty());
    CHECK(did_you_mean(std::string(100'000, 's'), names).empty());
}

TEST_CASE("one or two letters are no misspelling of others, but for their case") {
    constexpr std::array<std::string_view, 4> names{"A", "-l", "ab", "run"};
    for (std::string_view name : {"x", "B", "-x", "-h", "xb", "l"})
        CHECK(did_you_mean(name, names).empty());
    CHECK(did_you_mean("a", names) == "; did you mean \"A\"?");
    CHECK(did_you_mean("rn", names) == "; did you mean \"run\"?");
}
