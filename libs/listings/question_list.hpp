// The tasks that wait for a person, as `barnum todo` lists them.
#pragma once

#include "base/error.hpp"
#include "people/human_questions.hpp"
#include "runs/run_directories.hpp"
#include "runs/run_state.hpp"

#include <string>
#include <vector>

namespace listings {

struct AskingRun {
    runs::FoundRun run;
    runs::RunState state;
    people::RunQuestions questions;
};

// The runs that run, or can be resumed. One that cannot be read is left out, with a warning. Blocking.
base::Result<std::vector<AskingRun>> find_asking_runs();

// A line of headings, and one for each task that waits; empty if none does. Only printable characters.
std::vector<std::string> question_table(const std::vector<AskingRun>& list);

// The answers that wait for a run to be resumed, with the command that resumes it. Empty, or whole lines.
std::string kept_answers_text(const std::vector<AskingRun>& list);

// A JSON array of the tasks that wait, and of such answers; ends with a newline.
std::string questions_json(const std::vector<AskingRun>& list);

}  // namespace listings
