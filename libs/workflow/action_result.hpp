// What the end of an action means: a response that is valid for the step, or a failure. Pure.
#pragma once

#include "config/response.hpp"
#include "config/workflow_config.hpp"
#include "workflow/attempt_event.hpp"
#include "workflow/entry.hpp"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace workflow {

struct ActionSuccess {
    std::string output;  // the response as it came, without text around it: JSON
    std::vector<config::NewTask> next;
    bool is_lenient = false;  // it was taken out of the text around it
};
// The result of the action, or of a pre hook that failed, after which there is no action.
using ActionResult = std::variant<ActionSuccess, Failure>;

// The result of a Command.
ActionResult command_result(const config::WorkflowConfig& config, const config::Step& step, ScriptEnd end);
// The result of a Pool action.
ActionResult pool_result(const config::WorkflowConfig& config, const config::Step& step, PoolAnswer answer);

// The failure of a script that was ended because it printed more than a response of the step may have. `what`
// names what it printed; `name` is as for failure_message().
Failure too_large_response(std::string_view what, std::string_view name, const config::Step& step,
                           const ScriptFailure& ended);

// "the command exited with code 3", and its stderr on further lines; `name` is "command", "pre hook", …
std::string failure_message(std::string_view name, const ScriptFailure& failure);

// An excerpt of an invalid text for a message: "it was: …", "it began with: …".
std::string shortened(std::string_view text);

}  // namespace workflow
