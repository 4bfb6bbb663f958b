#include "output/stream_check.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

using namespace output;

namespace {

// What is missing of a stream of that size, of which these pieces are there: offset and size.
std::uint64_t missing(std::optional<std::uint64_t> limit, std::uint64_t size,
                      const std::vector<std::pair<std::uint64_t, std::size_t>>& pieces) {
    StreamCheck check(limit);
    std::uint64_t sum = 0;
    for (auto [offset, length] : pieces)
        sum += check.add({1, Stream::out, {}, offset, std::string(length, 'x')});
    return sum + check.add({1, Stream::out, {}, size, {}});
}

}  // namespace

TEST_CASE("what a record repeats of those before it is left out, and nothing but that") {
    StreamCheck check(0);
    check.add({1, Stream::out, {}, 0, "abcdef"});
    CHECK_FALSE(check.without_repeated({1, Stream::out, {}, 0, "abcdef"}));
    CHECK_FALSE(check.without_repeated({1, Stream::out, {}, 2, "cd"}));
    CHECK(check.without_repeated({1, Stream::out, {}, 4, "efgh"}) == Record{1, Stream::out, {}, 6, "gh"});
    CHECK(check.without_repeated({1, Stream::out, {}, 9, "x"}) == Record{1, Stream::out, {}, 9, "x"});
    CHECK(check.without_repeated({1, Stream::out, {}, 6, ""}));
    check.add({1, Stream::out, {}, 6, ""});
    CHECK_FALSE(check.without_repeated({1, Stream::out, {}, 6, ""}));
}

TEST_CASE("of a stream that is kept as a whole, every gap is missing") {
    CHECK(missing(0, 0, {}) == 0);
    CHECK(missing(0, 30, {{0, 10}, {10, 20}}) == 0);
    CHECK(missing(0, 30, {{10, 20}}) == 10);
    CHECK(missing(0, 30, {{0, 10}, {20, 10}}) == 10);
    CHECK(missing(0, 30, {{0, 10}}) == 20);
    CHECK(missing(0, 30, {{0, 10}, {5, 25}}) == 0);
}

TEST_CASE("of a stream with a limit, what is between its first and last bytes need not be there") {
    CHECK(missing(10'000, 90'000, {{0, 10'000}, {80'100, 9'900}}) == 0);
    CHECK(missing(10'000, 90'000, {{0, 10'000}, {50'000, 10}, {80'100, 9'900}}) == 0);
    CHECK(missing(10'000, 90'000, {{0, 9'000}, {80'100, 9'900}}) == 1'000);
    CHECK(missing(10'000, 90'000, {{0, 10'000}, {89'000, 1'000}}) == 10'000 - 625 - 1'000);
    CHECK(missing(10'000, 90'000, {{0, 10'000}}) == 10'000);
    CHECK(missing(10'000, 12'000, {{0, 10'000}}) == 2'000);
    CHECK(missing(100, 1'000, {{0, 100}, {990, 10}}) == 0);
    CHECK(missing(10'000, 231, {{21, 210}}) == 21);
    CHECK(missing(10'000, 300, {{0, 100}, {129, 171}}) == 29);
    CHECK(missing(10'000, 15'000, {{0, 10'000}, {12'000, 3'000}}) == 2'000);
    CHECK(missing(10'000, 15'000, {{0, 9'000}, {12'000, 3'000}}) == 3'000);
}

TEST_CASE("if nobody knows the limit, a gap may be of what is not kept, but the end never is") {
    CHECK(missing({}, 90, {{10, 20}, {60, 30}}) == 0);
    CHECK(missing({}, 90, {{10, 20}}) == 60);
}
