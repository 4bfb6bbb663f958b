// What a `finally` leads to, as far as its script's text says so. It may emit any step, and only
// running it tells which; but most scripts name the kinds that they emit. Pure; reads no file that the script
// runs.
#pragma once

#include "config/workflow_config.hpp"

#include <vector>

namespace config {

struct FinallySteps {
    std::vector<StepId> named;  // in the order of the config
    bool is_open = false;       // it may well emit others, which its text doesn't name
};

// A step is named by `kind` and its name in quotes, as in JSON, jq, Python and the like: {"kind":"X"},
// \"kind\": \"X\", {kind: "X"}, 'kind': 'X', kind="X". A script is taken for one that names all that it emits
// if it names one, or is an `echo` or `printf` of a literal [].
FinallySteps finally_steps(const WorkflowConfig& config, const Step& step);

}  // namespace config
