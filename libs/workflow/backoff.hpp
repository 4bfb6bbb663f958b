// Computes the delays of retries from a step's retry_backoff. Uses no clock and no random numbers.
#pragma once

#include "config/workflow_config.hpp"

#include <chrono>
#include <cstdint>

namespace workflow {

// The delay before the `retry`th retry (1, 2, …) of a task: at least 1 ms, at most `max` or, without one, 1e9
// s.
std::chrono::milliseconds backoff_delay(const config::RetryBackoff& backoff, std::uint32_t retry);

// Shortens a delay at random: with jitter 0.25, to between three quarters of it and all of it. `chance` is a
// random number from 0 to 1.
std::chrono::milliseconds with_jitter(std::chrono::milliseconds delay, const config::RetryBackoff& backoff,
                                      double chance);

}  // namespace workflow
