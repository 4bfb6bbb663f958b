// A histogram of durations with buckets whose width grows with the duration. It needs 5 kB, and constant time
// per entry. A quantile is off by at most 1/32; it is exact below 32 µs and at the maximum.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace pool {

class Histogram {
  public:
    using Duration = std::chrono::microseconds;

    // A negative duration counts as zero, one of more than 200 days as 200 days, except for the maximum.
    void add(Duration duration);
    // Removes a duration that was added; the maximum stays. No effect if its bucket is empty.
    void remove(Duration duration);

    std::uint64_t count() const { return count_; }
    Duration sum() const { return sum_; }
    // The entries of at most `bound`; counts some that are longer by at most 1/16.
    std::uint64_t count_at_most(Duration bound) const;
    // The duration that a fraction `share` of the entries do not exceed: 0.5 gives the median. Zero if there
    // are no entries.
    Duration quantile(double share) const;
    Duration max() const { return max_; }

  private:
    static constexpr std::size_t bits = 44;   // of the longest duration that has its own bucket
    static constexpr std::size_t steps = 16;  // buckets per doubling
    static constexpr std::size_t size = (bits - 3) * steps;

    static std::size_t bucket(Duration duration);
    static Duration middle(std::size_t bucket);

    std::array<std::uint64_t, size> buckets_{};
    std::uint64_t count_ = 0;
    Duration max_{};
    Duration sum_{};  // of the durations as they are counted: from 0 to 200 days
};

}  // namespace pool
