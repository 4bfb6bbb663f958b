// The graph of a workflow: its steps and transitions. Pure.
#pragma once

#include "config/workflow_config.hpp"

#include <string>

namespace config {

// The graph for Graphviz. Pool steps are boxes, Command steps diamonds; terminal steps have a double border;
// hooks are listed below the name. Each `next` is an edge, each step that a `finally` is known to start a
// dashed edge (config/finally_steps.hpp).
std::string dot_graph(const WorkflowConfig& config);

// The graph as a flowchart for Mermaid.
std::string mermaid_graph(const WorkflowConfig& config);

}  // namespace config
