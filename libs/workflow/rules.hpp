// Properties of a task that follow from its step, used by the files of the machine.
#pragma once

#include "config/workflow_config.hpp"
#include "workflow/state.hpp"

namespace workflow {

// Whether a `finally` follows this task. A `finally` itself has none.
inline bool has_finally(const config::WorkflowConfig& config, const Task& task) {
    return !task.finally_for && config.step(task.step).finally.has_value();
}

inline Lane lane(const config::WorkflowConfig& config, const Task& task) {
    const config::Step& step = config.step(task.step);
    return task.finally_for || step.pre || !step.is_pool() ? Lane::local : Lane::pool;
}

}  // namespace workflow
