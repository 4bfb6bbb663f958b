// Which dropped tasks `barnum retry` tries again. Pure.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "workflow/history.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace launch {

// All, if neither is given.
struct RetryChoice {
    std::vector<std::uint64_t> tasks;  // --task: the number of any of a task's attempts
    std::optional<std::string> step;   // --step
};

// The indices of the chosen tasks in the history; none if no task was dropped. The error says what is wrong
// with the choice.
base::Result<std::vector<std::uint32_t>> chosen_tasks(const RetryChoice& choice,
                                                      const workflow::History& history,
                                                      const config::WorkflowConfig& config);

}  // namespace launch
