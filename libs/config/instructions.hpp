// The instructions, in markdown, that an agent gets with its task. Pure.
#pragma once

#include "config/workflow_config.hpp"

#include <string>

namespace config {

std::string generate_instructions(const WorkflowConfig& config, const Step& step);

}  // namespace config
