// An attempt at a task, as the runner's coroutines pass it on. Plain data.
#pragma once

#include "config/workflow_config.hpp"
#include "workflow/entry.hpp"
#include "workflow/feedback.hpp"
#include "workflow/state.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace runner {

struct Attempt {
    workflow::TaskId task;
    config::StepId step;
    std::uint32_t number = 1;  // 1, 2, …
    workflow::Value value;     // as submitted
    bool is_finally = false;
    std::chrono::system_clock::time_point started;
    workflow::TaskId finally_of = {};               // of a finally: the last attempt of its task
    workflow::PreviousAttempts previous = nullptr;  // at the same task; null if it is not told of any
};

// The attempt at this task that begins now.
Attempt attempt_at(workflow::TaskId id, const workflow::Task& task);

// "task 12 Analyze", "task 14 Analyze (finally)": the name of the task in messages.
std::string label(const config::WorkflowConfig& config, const Attempt& attempt);

}  // namespace runner
