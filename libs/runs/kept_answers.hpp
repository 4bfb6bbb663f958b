// People's answers to tasks of a run that does not live: in `answers/` in its directory, until a run that
// resumes it takes them into its state log (docs/people.md). Blocking.
#pragma once

#include "base/error.hpp"
#include "runs/kept_answer.hpp"
#include "statelog/start.hpp"
#include "workflow/persons_answer.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace runs {

// `run` is the path of the run's directory. The answer is durable when this returns. Fails with
// errc::file_exists if the task has one.
base::Result<void> keep_answer(const std::string& run, const KeptAnswer& kept);

// Where the answer to the task is kept.
std::string answer_path(const std::string& run, std::uint64_t task);

// Takes the answers one after the other, by the numbers of their tasks. Logs a warning about a file that has
// no answer; fails, and takes none, if the directory of answers cannot be read.
base::Result<void> for_each_answer(const std::string& run, const std::function<void(KeptAnswer)>& use);

// The answer to the task, if there is one that can be read.
std::optional<KeptAnswer> read_answer(const std::string& run, std::uint64_t task);

workflow::PersonsAnswer persons_answer(HumanAnswer answer);

// Completes the tasks in `start` that wait and have an answer. Returns the lines for the state log. An answer
// that does not fit is left out with a warning. Fails as for_each_answer() does.
base::Result<std::string> take_answers(const config::WorkflowConfig& config, statelog::Start& start,
                                       const std::string& run);

}  // namespace runs
