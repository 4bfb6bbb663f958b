// One task as a state log tells of it: what it began with, and how it ended. Blocking; reads the log without
// its lock, also that of a living run.
#pragma once

#include "config/workflow_config.hpp"
#include "runner/attempt.hpp"
#include "workflow/machine.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace barnum {

struct RecordedTask {
    std::shared_ptr<const config::WorkflowConfig> config;
    runner::Attempt attempt;                        // the last one
    std::optional<workflow::AttemptResult> result;  // none: this attempt has not ended
};

// The exit code if there is no such task; the message was printed to stderr.
using RecordedTaskOrCode = std::variant<RecordedTask, int>;

// `id` is that of any attempt of the task, or of a `finally`.
RecordedTaskOrCode read_recorded_task(const std::string& log, std::size_t id);

}  // namespace barnum
