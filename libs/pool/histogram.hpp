// How long things took, in buckets whose width grows with the duration: 5 kB, however many are added, and a
// few steps for each. A quantile is off by at most 1/32 of itself; below 32 µs and at the maximum it is
// exact.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace pool {

class Histogram {
  public:
    using Duration = std::chrono::microseconds;

    // A negative duration counts as none, one of over 200 days as 200 days, but for the maximum.
    void add(Duration duration);
    // Takes back what was added, except that the maximum stays; nothing if there is nothing like it.
    void remove(Duration duration);

    std::uint64_t count() const { return count_; }
    // `share` of all were no longer than this: 0.5 gives the median. Zero if there are none.
    Duration quantile(double share) const;
    Duration max() const { return max_; }

  private:
    static constexpr std::size_t bits = 44;   // of the longest that has a bucket of its own
    static constexpr std::size_t steps = 16;  // in which a doubling is divided
    static constexpr std::size_t size = (bits - 3) * steps;

    static std::size_t bucket(Duration duration);
    static Duration middle(std::size_t bucket);

    std::array<std::uint64_t, size> buckets_{};
    std::uint64_t count_ = 0;
    Duration max_{};
};

}  // namespace pool
