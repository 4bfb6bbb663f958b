// The commands that a run prints for the user, to resume it or to inspect its log.
#pragma once

#include "run_options.hpp"

#include <string>

namespace barnum {

// The command that resumes a run with these options from its state log, quoted for a shell. It contains the
// options that are kept (OnResume).
std::string resume_command(const RunOptions& options, const std::string& log_path);

// The command that resumes any run from its state log: "barnum run --resume-from LOG".
std::string short_resume_command(const std::string& log_path);

// The command that shows the contents of the state log.
std::string inspect_command_line(const std::string& log_path);

}  // namespace barnum
