#include "base/utc_text.hpp"

#include <catch2/catch.hpp>

TEST_CASE("a time is text in UTC") {
    using namespace std::chrono_literals;
    CHECK(base::utc_text(std::chrono::sys_seconds(0s)) == "1970-01-01T00:00:00Z");
    CHECK(base::utc_text(std::chrono::sys_seconds(1'795'262'400s)) == "2026-11-21T12:00:00Z");
}
