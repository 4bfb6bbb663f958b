// Properties of a task that follow from its step, used by the files of the machine.
#pragma once

#include "config/workflow_config.hpp"
#include "workflow/state.hpp"

namespace workflow {

// Whether a `finally` follows this task. A `finally` itself has none.
inline bool has_finally(const config::WorkflowConfig& config, const Task& task) {
    return !task.finally_for && config.step(task.step).has_finally();
}

// Whether a person does the task. Its `finally` is done like any other.
inline bool asks_person(const config::WorkflowConfig& config, const Task& task) {
    return !task.finally_for && config.step(task.step).is_human();
}

inline Lane lane(const config::Step& step, bool is_finally) {
    return is_finally || step.pre || !step.is_pool() ? Lane::local : Lane::pool;
}

// Whether a `finally` follows the task if it is dropped with this failure. A task that was never tried has
// nothing to clean up; and no bound could end a loop that goes through its `finally`.
inline bool has_finally_after(const config::WorkflowConfig& config, const Task& task,
                              const Failure& failure) {
    bool was_tried = failure.kind != Failure::Kind::past_bound || task.attempt > 1;
    return was_tried && has_finally(config, task);
}

inline Lane lane(const config::WorkflowConfig& config, const Task& task) {
    return lane(config.step(task.step), task.finally_for.has_value());
}

// Whether a running task of the step keeps others from being started until its end is applied.
inline bool holds_place(const config::WorkflowConfig& config, config::StepId id) {
    const config::StepOptions& options = config.step(id).options;
    return options.max_concurrency.has_value() || options.serial_key.has_value();
}

}  // namespace workflow
