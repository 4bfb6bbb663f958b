// `barnum config graph`: prints the graph of a workflow as DOT, as Mermaid, or as SVG, drawn by Graphviz.
#pragma once

#include "config/workflow_config.hpp"

#include <string>

namespace barnum {

enum class GraphFormat { dot, mermaid, svg };

// Prints it; returns the exit code. SVG needs the program `dot`, which gets the DOT text on stdin.
int print_graph(const config::WorkflowConfig& config, GraphFormat format);

}  // namespace barnum
