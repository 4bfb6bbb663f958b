// The tasks that a run begins with, from the command line and checked against the config. Starts nothing.
#pragma once

#include "base/error.hpp"
#include "config/response.hpp"
#include "config/workflow_config.hpp"
#include "run_options.hpp"

#include <string>
#include <vector>

namespace barnum {

// --initial-state where it is given, else one task of the entrypoint with --entrypoint-value.
base::Result<std::vector<config::NewTask>> first_tasks(const config::WorkflowConfig& config,
                                                       const RunOptions& options);

}  // namespace barnum
