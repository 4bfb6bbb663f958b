// Parses the tasks in responses, and checks them against the config (docs/task-protocol.md). Pure.
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

// A task to be created: its step, and its value as compact JSON text, otherwise unchanged.
struct NewTask {
    StepId step;
    std::string value;
};

// Parses the response of `step`'s action: a JSON array of {"kind","value"}, where each kind is a step in
// `step.next` and each value matches its step's schema. The error says which element is wrong and why. A
// missing "value" and members other than these two are errors, and so is a response that is larger than the
// step's options allow.
base::Result<std::vector<NewTask>> parse_response(const WorkflowConfig& config, const Step& step,
                                                  std::string_view text);

// As parse_response(), for tasks of any step, as printed by a `finally` of `step`. `what` names the input in
// messages; the text may be JSONC.
base::Result<std::vector<NewTask>> parse_tasks(const WorkflowConfig& config, const Step& step,
                                               std::string_view text, std::string_view what);

// "it has more than the 1000 bytes that are allowed (max_response_bytes)"
std::string too_many_bytes(const StepOptions& options);

// As parse_tasks(), for input of a user: `array` is a part of the text of `problems`, to which all problems
// are added with their positions. The result is valid only if there are none.
std::vector<NewTask> read_tasks(const WorkflowConfig& config, json::View array, ProblemList& problems);

// Says on one line why a value does not match the schema of that step.
std::string misfit(const Step& step, const json_schema::Violation& violation);

}  // namespace config
