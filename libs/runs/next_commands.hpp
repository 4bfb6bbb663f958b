// The commands that messages recommend for a run: those that go on with it, or show it.
#pragma once

#include <string>

namespace runs {

// The name by which this program was called, for such commands.
std::string own_name();

// The command that resumes any run from its state log: "barnum run --resume-from LOG".
std::string short_command_to_resume(const std::string& log_path);

// The command that resumes a run with a record: "barnum resume ID".
std::string command_to_resume(const std::string& run_id);

// The command that shows the contents of the state log.
std::string command_to_inspect(const std::string& log_path);

}  // namespace runs
