#include "pool_protocol/lease.hpp"

#include <catch2/catch.hpp>

using namespace pool_protocol;
using namespace std::chrono_literals;

TEST_CASE("a lease is read as it was written") {
    Lease lease{"agent-1", "submission.2", true, 1795254000123ms, 300s};
    auto read = parse_lease(to_line(lease));
    REQUIRE(read);
    CHECK(read->agent == "agent-1");
    CHECK(read->submission == "submission.2");
    CHECK(read->by_file);
    CHECK(read->assigned == 1795254000123ms);
    CHECK(read->timeout == std::optional<std::chrono::milliseconds>(300s));
    CHECK(to_line(lease) == "agent-1 submission.2 file 1795254000123 300000");
}

TEST_CASE("a lease may be without a submission and without a timeout") {
    auto read = parse_lease(to_line({"a", std::nullopt, false, 5ms, std::nullopt}));
    REQUIRE(read);
    CHECK_FALSE(read->submission);
    CHECK_FALSE(read->timeout);
    CHECK_FALSE(read->by_file);
}

TEST_CASE("the longest lease fits into its slot") {
    Lease lease{std::string(200, 'a'), std::string(200, 's'), false, 999'999'999'999'999ms,
                999'999'999'999'999ms};
    CHECK(to_line(lease).size() < lease_size);
    CHECK(parse_lease(to_line(lease)));
}

TEST_CASE("what is no lease is not read as one") {
    for (const char* line :
         {"", " ", "-", "-gent s file 1 2", "a s file 1", "a s file 1 2 3", "a s mail 1 2", "a s file x 2",
          "a s file 1 x", "a s file -1 2", "a s file 1 -2", "a .s file 1 2", "a s file 1 2 ", "a  file 1 2",
          "a s file 99999999999999999999 2", "a/b s file 1 2"}) {
        INFO(line);
        CHECK_FALSE(parse_lease(line));
    }
}

TEST_CASE("what is left of a timeout is never less than nothing and never more than the whole") {
    Lease lease{"a", "s", false, 1'000'000ms, 10s};
    CHECK(time_left(lease, 1'004'000ms) == 6s);
    CHECK(time_left(lease, 2'000'000ms) == 0ms);
    CHECK(time_left(lease, 500'000ms) == 10s);
    lease.timeout.reset();
    CHECK_FALSE(time_left(lease, 2'000'000ms));
}
