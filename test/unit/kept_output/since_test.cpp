#include "kept_output/since.hpp"

#include <catch2/catch.hpp>

TEST_CASE("a time on the command line is a span before now, or a time in UTC") {
    auto at = [](std::int64_t time) { return kept_output::WallTime(std::chrono::milliseconds(time)); };
    const auto now = at(1'000'000'000'000);
    CHECK(kept_output::parse_since("90s", now) == now - std::chrono::seconds(90));
    CHECK(kept_output::parse_since("10m", now) == now - std::chrono::minutes(10));
    CHECK(kept_output::parse_since("2h", now) == now - std::chrono::hours(2));
    CHECK(kept_output::parse_since("3d", now) == now - std::chrono::hours(72));
    CHECK(kept_output::parse_since("2026-11-23T05:20:34.567Z", now) == at(1795411234567));
    CHECK(kept_output::parse_since("2026-11-23T05:20:34.5679Z", now) == at(1795411234567));
    CHECK(kept_output::parse_since("2026-11-23T05:20:34Z", now) == at(1795411234000));
    CHECK(kept_output::parse_since("1970-01-01T00:00:00Z", now) == at(0));
    for (const char* wrong :
         {"", "s", "10", "-1s", "1.5h", "10 m", "9999999999d", "2026-11-23", "2026-11-23T05:20:34",
          "2026-13-23T05:20:34Z", "2026-11-31T05:20:34Z", "2026-11-23T24:20:34Z", "2026-11-23T05:20:34.Z",
          "2026-11-23T05:20:34.xZ", "2026-11-23 05:20:34Z"})
        CHECK_FALSE(kept_output::parse_since(wrong, now));
}
