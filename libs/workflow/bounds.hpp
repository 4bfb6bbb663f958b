// The bounds of a run: which tasks are past one of them and therefore dropped without an attempt, and how
// that is told. Pure: whether the time is up is an argument.
#pragma once

#include "config/workflow_config.hpp"
#include "workflow/entry.hpp"
#include "workflow/state.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace workflow {

// The name of its option in the config.
std::string_view bound_name(Bound bound);

// Why the task, of which no attempt is being made, is to be dropped; empty if it is within all bounds. A
// `finally` always is. `time_is_up`: whether the run has lasted max_run_seconds.
std::optional<Failure> past_bound(const config::Bounds& bounds, const Task& task, bool time_is_up);

// The bound of such a failure; empty for other failures.
std::optional<Bound> bound_of(const Failure& failure);

// The number of tasks that were past a bound.
std::uint64_t count_past_bounds(const std::vector<StepCounters>& steps);

// "not started because of max_tasks: 880 of Loop, 20 of Note"; empty if nothing was past a bound.
std::string past_bounds_text(const config::WorkflowConfig& config, const std::vector<StepCounters>& steps);

}  // namespace workflow
