// `barnum run --stub`: the real machine and the real loop of the runner, with made-up answers instead of
// work. No command, hook, agent, pool or state log; a line for each task and an account on stdout.
#pragma once

#include "run_plan.hpp"

namespace barnum {

// The exit code: 0, 1 if no value was found for a step that another one leads to.
int run_stub(RunPlan plan);

}  // namespace barnum
