// The initial tasks of a run, read from the command line and checked against the config. Starts nothing.
#pragma once

#include "base/error.hpp"
#include "config/response.hpp"
#include "config/workflow_config.hpp"
#include "launch/run_options.hpp"

#include <string>
#include <vector>

namespace launch {

// The tasks of --initial-state if it is given, otherwise one task of the entrypoint with the value of
// --entrypoint-value or -p. Logs a warning about parameters that are probably misspelled.
base::Result<std::vector<config::NewTask>> first_tasks(const config::WorkflowConfig& config,
                                                       const RunOptions& options);

// Fails if the value of one of them does not have the images of its step.
base::Result<void> check_images(const config::WorkflowConfig& config,
                                const std::vector<config::NewTask>& tasks);

// The value that `option` gives a task of the step: JSON text, or the path of a file with such text. Compact;
// checked against the step's schema.
base::Result<std::string> read_value(const config::Step& step, const std::string& argument,
                                     const std::string& option);

}  // namespace launch
