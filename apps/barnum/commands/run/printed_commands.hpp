// The options of a run as a command line has them: in the command that resumes it, and in its record.
#pragma once

#include "launch/run_options.hpp"

#include <string>
#include <vector>

namespace barnum {

// The command that resumes a run with these options from its state log, quoted for a shell. It contains the
// options that are kept (OnResume).
std::string command_to_resume(const launch::RunOptions& options, const std::string& log_path);

// The options of the run that are kept, as on a command line: "--pool=x", "--no-agents".
std::vector<std::string> kept_arguments(const launch::RunOptions& options);

}  // namespace barnum
