// What a step's action answered, checked against the config (docs/task-protocol.md). Pure.
#pragma once

#include "base/error.hpp"
#include "config/problem_list.hpp"
#include "config/workflow_config.hpp"
#include "json/json.hpp"
#include "json_schema/schema.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace config {

// A task to be: its step and its value as compact JSON text, otherwise untouched.
struct NewTask {
    StepId step;
    std::string value;
};

// A JSON array of {"kind","value"}: each kind a step in `step.next`, each value as its step's schema wants
// it. The error says which element is wrong and why. A missing "value" is an error; other members than the
// two are one too.
base::Result<std::vector<NewTask>> parse_response(const WorkflowConfig& config, const Step& step,
                                                  std::string_view text);

// The same for tasks that may be of any step: what a finally emits. `what` names
// the input in messages; the text may be JSONC.
base::Result<std::vector<NewTask>> parse_tasks(const WorkflowConfig& config, std::string_view text,
                                               std::string_view what);

// The same for a person at a terminal: `array` is of the problems' text, and all of its mistakes are told,
// each with its place. Of use only if there are none.
std::vector<NewTask> read_tasks(const WorkflowConfig& config, json::View array, ProblemList& problems);

// What is wrong with a value that was meant for that step, on one line.
std::string misfit(const Step& step, const json_schema::Violation& violation);

}  // namespace config
