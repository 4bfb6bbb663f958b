// Reads the options of `barnum run`. Reads no file and starts nothing.
#pragma once

#include "base/error.hpp"
#include "cli/command_line.hpp"
#include "launch/run_options.hpp"

#include <string>

namespace barnum {

// `given` has passed the checks of cli::run. The error says which options are wrong.
base::Result<launch::RunOptions> read_run_options(const cli::Options& given);

// Sets the root that the environment determines, because the command that resumes the run must contain it.
void set_root(launch::RunOptions& options, const std::string& root);

}  // namespace barnum
