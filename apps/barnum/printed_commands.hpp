// The commands that a run prints for the user, to resume it or to inspect its log.
#pragma once

#include "run_options.hpp"

#include <string>

namespace barnum {

// The command that resumes a run with these options from its state log, quoted for a shell. It contains the
// options that are kept (OnResume).
std::string command_to_resume(const RunOptions& options, const std::string& log_path);

// The command that resumes any run from its state log: "barnum run --resume-from LOG".
std::string short_command_to_resume(const std::string& log_path);

// The command that resumes a run with a record: "barnum resume ID".
std::string command_to_resume(const std::string& run_id);

// The command that shows the contents of the state log.
std::string command_to_inspect(const std::string& log_path);

}  // namespace barnum
