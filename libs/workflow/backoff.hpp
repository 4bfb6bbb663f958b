// How long retries wait: arithmetic on a step's retry_backoff. Has no clock and draws no lots.
#pragma once

#include "config/workflow_config.hpp"

#include <chrono>
#include <cstdint>

namespace workflow {

// The wait before the `retry`th retry (1, 2, …) of a task, which is never longer than `max` or, where there
// is none, than 1e9 s; at least 1 ms.
std::chrono::milliseconds backoff_delay(const config::RetryBackoff& backoff, std::uint32_t retry);

// What chance leaves of a wait: with jitter 0.25 between three quarters of it and all of it. `chance` is from
// 0 to 1.
std::chrono::milliseconds with_jitter(std::chrono::milliseconds delay, const config::RetryBackoff& backoff,
                                      double chance);

}  // namespace workflow
