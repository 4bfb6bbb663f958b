// Completion for `barnum answer`: of what waits in the run on the command line. After an error there are no
// candidates.
#pragma once

#include "cli/option.hpp"

namespace candidates {

// The numbers of the tasks that wait, described by their steps.
cli::Completion open_questions(const cli::Line& line);

// The steps that may follow the task --task; without it, those that may follow any task that waits.
cli::Completion next_steps(const cli::Line& line);

}  // namespace candidates
