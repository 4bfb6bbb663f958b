// The commands that a run prints for the user to continue with.
#pragma once

#include "run_options.hpp"

#include <string>

namespace barnum {

// Resumes a run with these options from its state log: quoted for a shell, with every option that its
// declaration says is kept.
std::string resume_command(const RunOptions& options, const std::string& log_path);

// Resumes any run from its state log: "barnum run --resume-from LOG".
std::string short_resume_command(const std::string& log_path);

// Shows what is in the state log.
std::string inspect_command_line(const std::string& log_path);

}  // namespace barnum
