#include "workflow/backoff.hpp"

#include <algorithm>
#include <cmath>

namespace workflow {

namespace {

using Seconds = std::chrono::duration<double>;

// The longest delay that a steady clock can represent from now.
constexpr Seconds longest{1e9};

}  // namespace

std::chrono::milliseconds backoff_delay(const config::RetryBackoff& backoff, std::uint32_t retry) {
    // After many retries the power is infinite, which the minimum limits as well.
    Seconds grown = backoff.initial * std::pow(backoff.factor, retry - 1);
    return std::chrono::ceil<std::chrono::milliseconds>(std::min(grown, backoff.max.value_or(longest)));
}

std::chrono::milliseconds with_jitter(std::chrono::milliseconds delay, const config::RetryBackoff& backoff,
                                      double chance) {
    return std::chrono::ceil<std::chrono::milliseconds>(Seconds(delay) * (1 - backoff.jitter * chance));
}

}  // namespace workflow
