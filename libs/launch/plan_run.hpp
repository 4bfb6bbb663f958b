// Plans a run: reads and checks its config and its first tasks, or the state log that it goes on from.
// Creates and starts nothing.
#pragma once

#include "config/load.hpp"
#include "launch/run_options.hpp"
#include "launch/run_plan.hpp"

#include <functional>

namespace launch {

// Gets the problems of the config, also if they are only warnings.
using TellProblems = std::function<void(const config::Problems& problems)>;

Planned plan_run(const RunOptions& options, const TellProblems& tell);

}  // namespace launch
