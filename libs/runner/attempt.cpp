#include "runner/attempt.hpp"

#include "base/text.hpp"

namespace runner {

Attempt attempt_at(workflow::TaskId id, const workflow::Task& task) {
    return {id,
            task.step,
            task.attempt,
            task.value,
            task.finally_for.has_value(),
            std::chrono::system_clock::now(),
            task.finally_for.value_or(workflow::TaskId{})};
}

std::string label(const config::WorkflowConfig& config, const Attempt& attempt) {
    return base::concat("task ", attempt.task.value, " ", config.step(attempt.step).name,
                        attempt.is_finally ? " (finally)" : "");
}

}  // namespace runner
