#include "nats_engine/lag.hpp"

#include <catch2/catch.hpp>

using namespace std::chrono_literals;
using nats_engine::Lag;

namespace {

constexpr Lag::Time begin{1h};

}  // namespace

TEST_CASE("nothing is known of the lag before a request was answered, or takes long") {
    Lag lag;
    CHECK_FALSE(lag.at(begin));
    auto first = lag.begin(begin);
    CHECK(lag.at(begin + 5us) == 5us);
    lag.withdraw(first);
    CHECK_FALSE(lag.at(begin + 5us));
}

TEST_CASE("the lag is that of the last request that was measured") {
    Lag lag;
    lag.answered(lag.begin(begin), begin + 400us);
    CHECK(lag.at(begin + 1h) == 400us);
    lag.answered(lag.begin(begin + 1h), begin + 1h + 200us);
    CHECK(lag.at(begin + 2h) == 200us);
}

TEST_CASE("one request is measured at a time") {
    Lag lag;
    auto first = lag.begin(begin);
    auto second = lag.begin(begin + 1ms);
    lag.answered(second, begin + 2ms);
    CHECK(lag.at(begin + 3ms) == 3ms);
    lag.withdraw(second);
    CHECK(lag.at(begin + 3ms) == 3ms);
    lag.answered(first, begin + 4ms);
    CHECK(lag.at(begin + 9ms) == 4ms);
}

TEST_CASE("a request that is not answered makes the lag grow, once it takes longer than the last one") {
    Lag lag;
    lag.answered(lag.begin(begin), begin + 400us);
    (void)lag.begin(begin + 1s);
    CHECK(lag.at(begin + 1s + 300us) == 400us);
    CHECK(lag.at(begin + 3s) == 2s);
}

TEST_CASE("answers that belong to an earlier connection do not count") {
    Lag lag;
    lag.answered(lag.begin(begin), begin + 400us);
    auto open = lag.begin(begin + 1s);
    lag.cut();
    CHECK(lag.at(begin + 9s) == 400us);
    lag.clear();
    CHECK_FALSE(lag.at(begin + 9s));
    auto next = lag.begin(begin + 10s);
    lag.answered(open, begin + 11s);
    CHECK(lag.at(begin + 12s) == 2s);
    lag.answered(next, begin + 10s + 1ms);
    CHECK(lag.at(begin + 12s) == 1ms);
}
