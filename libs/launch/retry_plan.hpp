// What `barnum retry` begins with: an earlier run's state log, in which dropped tasks are ready again.
#pragma once

#include "launch/run_options.hpp"
#include "launch/run_plan.hpp"

namespace launch {

// options.resume_from and options.retries are given.
Planned plan_retry(const RunOptions& options);

}  // namespace launch
