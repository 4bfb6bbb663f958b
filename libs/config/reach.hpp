// Reachability between the steps of a workflow. Pure.
#pragma once

#include "config/workflow_config.hpp"

#include <optional>
#include <vector>

namespace config {

// For each step, whether it can be reached from one of `starts` (which count as reached) by `next` or by the
// tasks of a `finally`. Empty if that is unknown, because a `finally` on the way may print tasks of any step
// (config/finally_steps.hpp).
std::optional<std::vector<bool>> reachable_from(const WorkflowConfig& config, std::vector<StepId> starts);

// Cycles from which no terminal step can be reached by `next`, each in its order. Not all cycles are listed,
// but every step from which no terminal step is reachable leads to one of them.
std::vector<std::vector<StepId>> endless_cycles(const WorkflowConfig& config);

// One cycle by `next` or by the tasks of a `finally`, in its order, for each group of steps that can all be
// reached from each other without a person, who decides in a Human step whether to go on. The shortest one
// through the step of the group that comes first in the config.
std::vector<std::vector<StepId>> cycles(const WorkflowConfig& config);

}  // namespace config
