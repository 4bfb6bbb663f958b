#include "pool_protocol/status_counts.hpp"

#include <catch2/catch.hpp>

using namespace pool_protocol;

namespace {

// Each another one.
const char* const numbered =
    R"({"submitted":1,"recovered":2,"processed":3,"timed_out":4,"stopped":5,"withdrawn":6,"invalid":7,)"
    R"("handed_back":8,"kicked":9,"failed":10,"died":11})";

}  // namespace

TEST_CASE("counts come back as they were written, and are added one by one") {
    StatusCounts counts = counts_in(json::View::of(numbered));
    CHECK(to_json(counts) == numbered);
    CHECK(counts.timed_out == 4);
    CHECK(counts.died == 11);
    StatusCounts twice = sum_of(counts, counts);
    CHECK(twice.submitted == 2);
    CHECK(twice.kicked == 18);
    CHECK(counts_in(json::View::of("{\"submitted\":\"x\",\"died\":-1}")) == StatusCounts());
}

TEST_CASE("the counts of a pool come back as they were written, and nothing else is taken for them") {
    TotalCounts total{UnixTime(1700000000123), counts_in(json::View::of(numbered))};
    auto read = parse_total_counts(to_json(total));
    REQUIRE(read);
    CHECK(read->since == total.since);
    CHECK(read->counts == total.counts);
    for (const char* other : {"", "{", "[]", "{}", R"({"since":1})", R"({"since":"x","counts":{}})",
                              R"({"since":1,"counts":[]})"}) {
        INFO(other);
        CHECK_FALSE(parse_total_counts(other));
    }
}
