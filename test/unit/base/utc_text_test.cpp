#include "base/utc_text.hpp"

#include <catch2/catch.hpp>

TEST_CASE("a time is text in UTC") {
    using namespace std::chrono_literals;
    CHECK(base::utc_text(std::chrono::sys_seconds(0s)) == "1970-01-01T00:00:00Z");
    CHECK(base::utc_text(std::chrono::sys_seconds(1'795'262'400s)) == "2026-11-21T12:00:00Z");
}

TEST_CASE("a text in UTC is a time") {
    using namespace std::chrono_literals;
    using Time = std::chrono::sys_time<std::chrono::nanoseconds>;
    CHECK(base::parse_utc_text("1970-01-01T00:00:00Z") == Time(0s));
    CHECK(base::parse_utc_text("2026-11-21T12:00:00Z") == Time(1'795'262'400s));
    CHECK(base::parse_utc_text("2026-11-21T12:00:00.5Z") == Time(1'795'262'400s + 500ms));
    CHECK(base::parse_utc_text("2026-11-21T12:00:00.000000001Z") == Time(1'795'262'400s + 1ns));
    CHECK(base::parse_utc_text("2026-11-21T12:00:00.0000000019Z") == Time(1'795'262'400s + 1ns));
    CHECK(base::parse_utc_text("2024-02-29T23:59:59Z").has_value());
    for (const char* wrong :
         {"", "Z", "2026-11-21T12:00:00", "2026-11-21T12:00:00.Z", "2026-11-21T12:00:00.xZ",
          "2026-11-21T12:00:00+01:00", "2026-11-21 12:00:00Z", "2025-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
          "2026-11-21T24:00:00Z", "2026-11-21T12:60:00Z", "2026-11-21T12:00:60Z", "2026-1a-21T12:00:00Z",
          "0001-01-01T00:00:00Z"}) {
        CAPTURE(wrong);
        CHECK(!base::parse_utc_text(wrong));
    }
}
