// `barnum config graph`: DOT, Mermaid, or SVG by Graphviz.
#pragma once

#include "config/workflow_config.hpp"

#include <string>

namespace barnum {

enum class GraphFormat { dot, mermaid, svg };

// Prints it; returns the exit code. SVG needs the program `dot`, which gets the DOT text on stdin.
int print_graph(const config::WorkflowConfig& config, GraphFormat format);

}  // namespace barnum
