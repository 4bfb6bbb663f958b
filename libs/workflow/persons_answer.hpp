// What a person answers to a task that waits for one, and what it means (docs/people.md). Pure.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "workflow/machine.hpp"

#include <optional>
#include <string>

namespace workflow {

struct PersonsAnswer {
    TaskId task;
    std::string user;
    std::optional<std::string> response = {};  // a JSON array of tasks; none: the task is rejected
    std::string reason = {};                   // why it is rejected; may be empty
};

// The tasks that follow, or the failure of a rejected task. Fails if the response does not fit the step.
base::Result<AttemptResult> result_of(const config::WorkflowConfig& config, const config::Step& step,
                                      const PersonsAnswer& answer);

// The failure of a task that nobody has answered in time.
Failure expired_failure();

}  // namespace workflow
