// The instructions, in markdown, that an agent gets with its task. Pure.
#pragma once

#include "config/workflow_config.hpp"

#include <string>

namespace config {

std::string generate_instructions(const WorkflowConfig& config, const Step& step);

// Gives the Pool step this text as its author's instructions, as if the config contained it.
void set_instructions(WorkflowConfig& config, StepId step, std::string text);

}  // namespace config
