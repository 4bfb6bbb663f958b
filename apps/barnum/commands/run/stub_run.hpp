// `barnum run --stub`: runs the real machine and the runner's real loop with made-up responses. Uses no
// command, hook, agent, pool or state log. Prints a line for each task and a summary on stdout.
#pragma once

#include "launch/run_plan.hpp"

namespace barnum {

// Returns the exit code: 0, or 1 if no value was found for a step that follows another one.
int run_stub(launch::RunPlan plan);

}  // namespace barnum
