// What a step's action answered, checked against the config (task-format.txt "Agent response"). Pure.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace config {

// A task to be: its step and its value as compact JSON text, otherwise untouched (R22).
struct NewTask {
    StepId step;
    std::string value;
};

// A JSON array of {"kind","value"}: each kind a step in `step.next`, each value as its step's schema wants
// it. The error says which element is wrong and why. A missing "value" is an error; other members than the
// two are one too.
base::Result<std::vector<NewTask>> parse_response(const WorkflowConfig& config, const Step& step,
                                                  std::string_view text);

// The same for tasks that may be of any step: --initial-state, and what a finally emits (R27). `what` names
// the input in messages; the text may be JSONC.
base::Result<std::vector<NewTask>> parse_tasks(const WorkflowConfig& config, std::string_view text,
                                               std::string_view what);

}  // namespace config
