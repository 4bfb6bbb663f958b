#include "pool/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace pool {

namespace {

std::uint64_t clamped(Histogram::Duration duration, std::size_t bits) {
    std::uint64_t longest = (std::uint64_t{1} << bits) - 1;
    return std::min(static_cast<std::uint64_t>(std::max<std::int64_t>(duration.count(), 0)), longest);
}

}  // namespace

// The first 32 buckets hold one value each. After that, the five leading bits of a number determine which of
// the 16 buckets of its order of magnitude it belongs to.
std::size_t Histogram::bucket(Duration duration) {
    std::uint64_t value = clamped(duration, bits);
    auto width = static_cast<std::size_t>(std::bit_width(value));
    std::size_t shift = width > 5 ? width - 5 : 0;
    return shift * steps + (value >> shift);
}

Histogram::Duration Histogram::middle(std::size_t bucket) {
    if (bucket < 2 * steps) return Duration(bucket);
    std::size_t shift = bucket / steps - 1;
    std::uint64_t first = (steps + bucket % steps) << shift;
    return Duration(first + (std::uint64_t{1} << shift) / 2);
}

void Histogram::add(Duration duration) {
    ++buckets_[bucket(duration)];
    ++count_;
    sum_ += Duration(clamped(duration, bits));
    max_ = std::max(max_, duration);
}

void Histogram::remove(Duration duration) {
    std::uint64_t& there = buckets_[bucket(duration)];
    if (there == 0) return;
    --there;
    --count_;
    sum_ -= Duration(clamped(duration, bits));
}

std::uint64_t Histogram::count_at_most(Duration bound) const {
    auto end = buckets_.begin() + static_cast<std::ptrdiff_t>(bucket(bound)) + 1;
    return std::accumulate(buckets_.begin(), end, std::uint64_t{0});
}

Histogram::Duration Histogram::quantile(double share) const {
    auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_)));
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < size; ++i) {
        seen += buckets_[i];
        if (seen > 0 && seen >= wanted) return std::min(middle(i), max_);
    }
    return Duration::zero();
}

}  // namespace pool
