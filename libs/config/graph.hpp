// A workflow as a picture: steps, and what leads to what. Pure.
#pragma once

#include "config/workflow_config.hpp"

#include <string>

namespace config {

// For Graphviz. Pool steps are boxes, Command steps diamonds, terminal steps have a double border, hooks are
// listed below the name; an edge for each `next`, a dashed one for each step that a finally is known to emit
// (config/finally_steps.hpp).
std::string dot_graph(const WorkflowConfig& config);

// The same for Mermaid, as a flowchart.
std::string mermaid_graph(const WorkflowConfig& config);

}  // namespace config
