#include "pool_protocol/lease.hpp"

#include <catch2/catch.hpp>

#include <limits>

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

TEST_CASE("a lease keeps the labels of its submission") {
    Lease lease{"a", "s", true, 5ms, std::nullopt, true, *base::Labels::of({"gpu", "team/linux"})};
    CHECK(to_line(lease) == "a s file 5 - failures labels=gpu,team/linux");
    CHECK(parse_lease(to_line(lease))->labels == lease.labels);
    CHECK(parse_lease(to_line(lease))->wants_failures);
    lease.wants_failures = false;
    CHECK(to_line(lease) == "a s file 5 - labels=gpu,team/linux");
    CHECK(parse_lease(to_line(lease))->labels == lease.labels);
    CHECK(parse_lease("a s file 5 -")->labels.empty());
}

TEST_CASE("a lease keeps the priority of its submission") {
    Lease lease{"a", "s", true, 5ms, 7ms, true, *base::Labels::of({"gpu"})};
    lease.wants_agent = true;
    lease.priority = -1'000'000;
    CHECK(to_line(lease) == "a s file 5 7 agent failures priority=-1000000 labels=gpu");
    CHECK(parse_lease(to_line(lease))->priority == lease.priority);
    CHECK(parse_lease(to_line(lease))->wants_failures);
    CHECK(parse_lease(to_line(lease))->labels == lease.labels);
    CHECK(parse_lease("a s file 5 - priority=12")->priority == 12);
    CHECK(parse_lease("a s file 5 -")->priority == 0);
    for (const char* line :
         {"a s file 5 - priority=", "a s file 5 - priority=x", "a s file 5 - priority=1 failures"})
        CHECK_FALSE(parse_lease(line));
}

TEST_CASE("a lease keeps what its submitter wants to be told") {
    Lease lease{"a", "s", false, 5ms, std::nullopt};
    for (bool wants_agent : {false, true})
        for (bool wants_failures : {false, true}) {
            lease.wants_agent = wants_agent;
            lease.wants_failures = wants_failures;
            lease.labels = *base::Labels::of({"agent", "failures"});
            INFO(to_line(lease));
            auto read = parse_lease(to_line(lease));
            REQUIRE(read);
            CHECK(read->wants_agent == wants_agent);
            CHECK(read->wants_failures == wants_failures);
            CHECK(read->labels == lease.labels);
        }
    CHECK(to_line(lease) == "a s socket 5 - agent failures labels=agent,failures");
}

TEST_CASE("the first line of the leases tells their format and the version of the program") {
    CHECK(to_line(LeasesFormat{leases_format, "1.2.3+x"}) == "#format 2 1.2.3+x");
    auto read = parse_leases_format("#format 17 1.2.3+x y");
    REQUIRE(read);
    CHECK(read->number == 17);
    CHECK(read->version == "1.2.3+x y");
    CHECK(parse_leases_format("#format 1 ")->version.empty());
    for (const char* line : {"", "#format", "#format ", "#format x 1", "#format 0 1", "#format -2 1",
                             "#format 2", "#format 2x 1", "#format 99999999999 1", "a s file 5 -"})
        CHECK_FALSE(parse_leases_format(line));
    CHECK_FALSE(parse_lease(to_line(LeasesFormat{})));
}

TEST_CASE("the longest lease fits into its slot") {
    Lease lease{std::string(200, 'a'), std::string(200, 's'), false,
                999'999'999'999'999ms, 999'999'999'999'999ms, true};
    std::vector<std::string> labels;
    for (char c = 'a'; labels.size() < base::Labels::max_count; ++c)
        labels.emplace_back(base::Labels::max_length, c);
    lease.labels = *base::Labels::of(labels);
    lease.wants_agent = true;
    lease.priority = std::numeric_limits<std::int32_t>::min();
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

TEST_CASE("a lease whose labels can't be read is no lease") {
    for (const char* labels : {"", "b,", "b c", "b failures"}) {
        INFO(labels);
        CHECK_FALSE(parse_lease(std::string("a s file 1 2 labels=") + labels));
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
