// The initial tasks of a run, read from the command line and checked against the config. Starts nothing.
#pragma once

#include "base/error.hpp"
#include "config/response.hpp"
#include "config/workflow_config.hpp"
#include "run_options.hpp"

#include <string>
#include <vector>

namespace barnum {

// The tasks of --initial-state if it is given, otherwise one task of the entrypoint with --entrypoint-value.
base::Result<std::vector<config::NewTask>> first_tasks(const config::WorkflowConfig& config,
                                                       const RunOptions& options);

}  // namespace barnum
