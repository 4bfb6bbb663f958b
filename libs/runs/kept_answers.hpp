// People's answers to tasks of a run that does not live: in `answers/` in its directory, until a run that
// resumes it takes them into its state log (docs/people.md). Blocking.
#pragma once

#include "base/error.hpp"
#include "runs/kept_answer.hpp"
#include "statelog/start.hpp"
#include "workflow/persons_answer.hpp"

#include <string>
#include <vector>

namespace runs {

// `run` is the path of the run's directory. The answer is durable when this returns. Fails with
// errc::file_exists if the task has one.
base::Result<void> keep_answer(const std::string& run, const KeptAnswer& kept);

// Where the answer to the task is kept.
std::string answer_path(const std::string& run, std::uint64_t task);

// By the numbers of their tasks. Logs a warning about a file that has no answer.
std::vector<KeptAnswer> read_answers(const std::string& run);

workflow::PersonsAnswer persons_answer(HumanAnswer answer);

// Completes the tasks in `start` that wait and have an answer. Returns the lines for the state log. An answer
// that does not fit is left out with a warning.
std::string take_answers(const config::WorkflowConfig& config, statelog::Start& start,
                         std::vector<KeptAnswer> answers);

}  // namespace runs
