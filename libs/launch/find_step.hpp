// The step that an option --step names. Pure.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"

#include <string>

namespace launch {

// The error names the step that was probably meant.
base::Result<config::StepId> find_step(const std::string& name, const config::WorkflowConfig& config);

}  // namespace launch
