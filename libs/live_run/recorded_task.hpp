// One task as a state log tells of it: what it began with, and how it ended. Blocking; reads the log without
// its lock, also that of a living run.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "runner/attempt.hpp"
#include "workflow/machine.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace live_run {

struct RecordedTask {
    std::shared_ptr<const config::WorkflowConfig> config;
    runner::Attempt attempt;                        // the last one
    std::optional<workflow::AttemptResult> result;  // none: this attempt has not ended
};

// `id` is that of any attempt of the task, or of a `finally`. errc::invalid_argument if there is no such log
// or task.
base::Result<RecordedTask> read_recorded_task(const std::string& log, std::size_t id);

}  // namespace live_run
