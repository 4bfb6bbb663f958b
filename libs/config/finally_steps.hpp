// The steps of the tasks that a `gather` submits or a `finally` may print, as far as the text of its script
// shows. A `finally` may print tasks of any step, and only running it tells which, but most scripts contain
// the names of the steps. Pure; does not read files that the script uses.
#pragma once

#include "config/workflow_config.hpp"

#include <vector>

namespace config {

struct FinallySteps {
    std::vector<StepId> named;  // in the order of the config
    bool is_open = false;       // it may print tasks of other steps, which the text does not name
};

// A step is found by `kind` and its quoted name, in the notation of JSON, jq, Python and the like:
// {"kind":"X"}, \"kind\": \"X\", {kind: "X"}, 'kind': 'X', kind="X". If the script names at least one step,
// or is an `echo` or `printf` of a literal [], it is assumed to print tasks of the named steps only.
FinallySteps finally_steps(const WorkflowConfig& config, const Step& step);

}  // namespace config
