// What decides the result of a step's task, besides its value: the parts of the step. Two runs' tasks with
// equal parts and equal values have the same result. Options, agents and budgets are no parts. Pure.
#pragma once

#include "config/workflow_config.hpp"

#include <string>
#include <vector>

namespace reuse {

struct StepPart {
    std::string name;  // "instructions", "value_schema of step Note"
    std::string text;  // in lines, for people; empty if the step has no such part

    friend bool operator==(const StepPart&, const StepPart&) = default;
};

// The action with its kind, the hooks, their environment variables of the config, the schema of the values,
// the steps that may follow, and the schemas of their values: these decide which responses are valid. Linked
// files count with their content.
std::vector<StepPart> parts_of(const config::WorkflowConfig& config, const config::Step& step);

// A text that is equal for equal schemas; empty without a schema.
std::string schema_text(const config::Step& step);

// A part that two versions of a step do not have in common.
struct ChangedPart {
    std::string name;
    std::string before;
    std::string after;
};
std::vector<ChangedPart> changed_parts(const std::vector<StepPart>& before,
                                       const std::vector<StepPart>& after);

}  // namespace reuse
