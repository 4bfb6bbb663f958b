// What a shell offers for the values of options that only this machine's files tell: pools, steps, tasks.
// Reads regular files and directories alone, so that nothing blocks; finds nothing where something is wrong.
#pragma once

#include "cli/option.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace barnum {

// Of --root or the environment's root; described by whether they are served.
cli::Completion pool_names(const cli::Line& line);

// For --initial-state: files or, inside a JSON text that is being typed, behind "kind", the steps of
// --config.
cli::Completion first_tasks_file_or_steps(const cli::Line& line);

// For --task: the numbers of the tasks in the state log --log, described by step and state. None of a log
// that is too long to be read at a prompt.
cli::Completion tasks_of_log(const cli::Line& line);

// The text of an array of tasks up to the cursor, if what comes next is the rest of a kind: without that
// part.
// "" otherwise.
std::string before_kind(std::string_view text);

// The names of a config's steps, also of one that has mistakes; none if it is no JSON.
std::vector<std::string> step_names(std::string_view config);

}  // namespace barnum
