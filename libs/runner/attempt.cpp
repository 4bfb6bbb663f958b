#include "runner/attempt.hpp"

#include "base/text.hpp"

namespace runner {

std::string label(const config::WorkflowConfig& config, const Attempt& attempt) {
    return base::concat("task ", attempt.task.value, " ", config.step(attempt.step).name,
                        attempt.is_finally ? " (finally)" : "");
}

}  // namespace runner
