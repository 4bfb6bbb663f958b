// Which steps lead to which. Pure.
#pragma once

#include "config/workflow_config.hpp"

#include <optional>
#include <vector>

namespace config {

// For each step, whether a task of `start` can lead to a task of it, by `next` or by what a finally is known
// to emit (it does to itself). Nothing if that can't be known: a finally on the way may emit any step
// (config/finally_steps.hpp).
std::optional<std::vector<bool>> reachable_from(const WorkflowConfig& config, StepId start);

// Cycles from which no terminal step can be reached by `next`, each in its order. Not all of them if there
// are several ways round, but each step from which there is no way out leads to one of them.
std::vector<std::vector<StepId>> endless_cycles(const WorkflowConfig& config);

}  // namespace config
