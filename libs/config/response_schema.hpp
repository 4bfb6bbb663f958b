// The JSON Schema of a step's responses, for agents. Pure.
#pragma once

#include "config/workflow_config.hpp"

#include <string>

namespace config {

// Compact JSON: an array of {"kind","value"}, one alternative for each step in `step.next`. Accepts every
// response that parse_response() accepts, and no other, with two exceptions: where a value_schema would not
// have the same meaning within this one (json_schema/embed.hpp), any value is accepted; and no schema forbids
// that a member occurs twice.
std::string response_schema(const WorkflowConfig& config, const Step& step);

}  // namespace config
