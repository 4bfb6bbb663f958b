// The argument RUN of the commands, and its completion.
#pragma once

#include "cli/option.hpp"

#include <string>

namespace barnum {

// The completions of a RUN: the ids of all runs with their names and states, and files.
cli::Completion run_candidates(const cli::Line& line);

// The argument RUN of a command. `what` says which run it names: "the run to show". The list may name
// several.
cli::Option run_argument(const std::string& what);
cli::Option run_list_argument(const std::string& what);

}  // namespace barnum
