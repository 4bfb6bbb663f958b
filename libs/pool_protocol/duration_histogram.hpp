// Durations, counted in buckets that are the same in each process: for monitoring, which adds up the counts
// of several pools. Pure.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>

namespace pool_protocol {

struct DurationHistogram {
    using Duration = std::chrono::microseconds;

    // A millisecond to a day.
    static constexpr std::array<Duration, 16> bounds{
        std::chrono::milliseconds(1),  std::chrono::milliseconds(5),   std::chrono::milliseconds(10),
        std::chrono::milliseconds(50), std::chrono::milliseconds(100), std::chrono::milliseconds(500),
        std::chrono::seconds(1),       std::chrono::seconds(5),        std::chrono::seconds(15),
        std::chrono::seconds(60),      std::chrono::minutes(5),        std::chrono::minutes(15),
        std::chrono::hours(1),         std::chrono::hours(3),          std::chrono::hours(8),
        std::chrono::hours(24)};

    std::array<std::uint64_t, bounds.size()> counts{};  // of at most each bound, the shorter ones included
    std::uint64_t count = 0;                            // of all
    Duration sum{};
};

}  // namespace pool_protocol
