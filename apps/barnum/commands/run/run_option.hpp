// An option of `barnum run` as it is declared: how it is read, and what a resumed run does with it.
#pragma once

#include "cli/option_table.hpp"
#include "launch/run_options.hpp"

#include <functional>
#include <string>

namespace barnum {

// What the command that resumes a run does with the run's option.
enum class OnResume {
    kept,      // repeats it, with the same value
    replaced,  // repeats it, with a value for the new run
    left_out,  // the value is in the state log, or no run is started that could be resumed
};

struct RunOption {
    cli::Option option;
    cli::Set<launch::RunOptions> set;
    OnResume on_resume;
    // Makes the new value of an option that is replaced, from the old run's options and state log; an empty
    // text leaves the option out.
    std::function<std::string(const launch::RunOptions& options, const std::string& log_path)> replacement =
        {};
    bool depends_on_directory = false;  // whatever its value is, it means something else in another directory
};

}  // namespace barnum
