#include "io/repeats.hpp"

#include <catch2/catch.hpp>

using namespace std::chrono_literals;

namespace {

constexpr io::Repeats::Time start{1h};

}  // namespace

TEST_CASE("a text is repeated until an interval after it was new") {
    io::Repeats repeats(10s, 5);
    CHECK_FALSE(repeats.is_repeated("a", start));
    CHECK(repeats.is_repeated("a", start + 1s));
    CHECK_FALSE(repeats.is_repeated("b", start + 2s));
    CHECK(repeats.is_repeated("a", start + 9s));
    CHECK_FALSE(repeats.is_repeated("a", start + 10s));
    CHECK(repeats.is_repeated("a", start + 19s));
    CHECK(repeats.is_repeated("b", start + 11s));
}

TEST_CASE("of too many texts, the one that was new first is forgotten") {
    io::Repeats repeats(10s, 2);
    CHECK_FALSE(repeats.is_repeated("b", start));
    CHECK_FALSE(repeats.is_repeated("a", start + 1s));
    CHECK_FALSE(repeats.is_repeated("c", start + 2s));
    CHECK(repeats.is_repeated("a", start + 3s));
    CHECK(repeats.is_repeated("c", start + 3s));
    CHECK_FALSE(repeats.is_repeated("b", start + 3s));
}

TEST_CASE("texts whose interval is over give way first") {
    io::Repeats repeats(10s, 2);
    CHECK_FALSE(repeats.is_repeated("a", start));
    CHECK_FALSE(repeats.is_repeated("b", start + 9s));
    CHECK_FALSE(repeats.is_repeated("c", start + 11s));
    CHECK(repeats.is_repeated("b", start + 12s));
}
