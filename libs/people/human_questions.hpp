// The tasks of a run that wait for a person, read from its state log; and how an answer gets to the run
// (docs/people.md). Blocking.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "runs/control_message.hpp"
#include "runs/run_directories.hpp"
#include "statelog/record.hpp"
#include "workflow/entry.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace people {

// A task that waits for a person.
struct HumanQuestion {
    workflow::TaskId task;
    config::StepId step;
    workflow::Value value;
    statelog::Time since;
    std::optional<statelog::Time> expires_at;
};

struct GivenAnswer {
    workflow::TaskId task;
    std::string user;
    statelog::Time time;
    bool is_rejected = false;
};

struct RunQuestions {
    std::shared_ptr<const config::WorkflowConfig> config;  // null if the run has no Human step
    std::vector<HumanQuestion> open;                       // by their numbers
    // Those that are kept until the run is resumed, by their numbers.
    std::vector<GivenAnswer> given;
    std::optional<GivenAnswer> last_counted;  // the last answer that the state log has
};

// The questions of a living run, or of one that can be resumed. Empty if the run has no Human step.
base::Result<RunQuestions> read_questions(const runs::FoundRun& run);

// Gives the answer to the run if it lives; otherwise keeps it, durably, until the run is resumed. The answer
// must fit the step. Returns a sentence for the user. Refused if the task does not wait for a person (any
// more), with the reason.
base::Result<std::string> give_answer(const runs::FoundRun& run, const runs::HumanAnswer& answer);

// Fails if another run has resumed this one, which has its tasks now. The error names that run.
base::Result<void> check_not_resumed(const runs::FoundRun& run);

// Why a task cannot be answered that is not among the open ones.
base::Error why_not_waiting(const runs::FoundRun& run, workflow::TaskId task);

// Why none can be answered, if none is open.
base::Error why_none_waits(const RunQuestions& questions);

}  // namespace people
