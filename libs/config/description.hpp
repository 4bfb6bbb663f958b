// A description of a workflow for people. Pure.
#pragma once

#include "config/workflow_config.hpp"

#include <string>

namespace config {

// Markdown: the graph (Mermaid), then each step with its options, hooks, schema, instructions and
// transitions. `title` is the heading.
std::string describe(const WorkflowConfig& config, const std::string& title);

// One line for each step: "A -> B, C" or "A -> (terminal)".
std::string transitions(const WorkflowConfig& config);

}  // namespace config
