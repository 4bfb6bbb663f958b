// What `barnum retry` begins with: an earlier run's state log, in which dropped tasks are ready again.
#pragma once

#include "run_plan.hpp"

namespace barnum {

// options.resume_from and options.retries are given. The exit code is 0 if no task was dropped and nothing is
// left to do.
PlanOrCode plan_retry(const RunOptions& options);

}  // namespace barnum
