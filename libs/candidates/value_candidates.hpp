// Completion of option values that depend on the files of this machine: pools, steps, tasks. Reads only
// regular files and directories, so it does not block. After an error there are no candidates.
#pragma once

#include "cli/option.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace candidates {

// The pools in --root, or in the environment's root; the description is "running" or "stopped".
cli::Completion pool_names(const cli::Line& line);

// For --initial-state: files; or, after "kind" in a JSON text that is being typed, the names of the steps of
// --config.
cli::Completion first_tasks_file_or_steps(const cli::Line& line);

// For -p: the members that the schema of the entrypoint of --config describes, each with "=" or ":=".
cli::Completion parameter_names(const cli::Line& line);

// For --task: the numbers of the tasks in the state log --log, described by step and state. None if the log
// is too long to be read at a prompt.
cli::Completion tasks_of_log(const cli::Line& line);

// The numbers of the tasks, and the names of the steps, in the log of the RUN of the command line.
cli::Completion tasks_of_run(const cli::Line& line);
cli::Completion steps_of_run(const cli::Line& line);

// `text` is an array of tasks up to the cursor. If the cursor is in the value of a "kind", the text before
// that value; otherwise "".
std::string before_kind(std::string_view text);

// The members that the schema of the config's entrypoint describes, followed by "=" if they are strings,
// otherwise by ":="; none if there is no such schema in the config itself.
std::vector<std::string> parameter_beginnings(std::string_view config);

// The names of the steps of a config, even if it has mistakes; none if it is not JSON.
std::vector<std::string> step_names(std::string_view config);

}  // namespace candidates
