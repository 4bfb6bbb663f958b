// The output of hooks, and the input of the post hook. Handles text only; runs nothing.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "workflow/machine.hpp"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace workflow {

// The result of the pre hook and the action: the action's response as it was written, and the tasks in it; or
// the failure.
struct ActionSuccess {
    std::string output;  // JSON text
    std::vector<config::NewTask> next;
};
using ActionResult = std::variant<ActionSuccess, Failure>;

// A failure of that hook ("pre", "post", "finally").
Failure hook_failure(std::string hook, std::string message);

// Quotes invalid text in a message: "it was: …", "it began with: …".
std::string shortened(std::string_view text);

// The value that a pre hook prints, as compact JSON. It is not checked against the step's schema again.
std::variant<std::string, Failure> read_pre_hook(std::string_view output);

// The stdin of the post hook: {"kind":"Success","input":…,"output":…,"next":[…]}, or a Timeout, Error or
// PreHookError. `input` is the value that the action got.
std::string post_hook_input(std::string_view input, const ActionResult& result);

// The final result of the attempt, as printed by the post hook: the same kind of object. If the hook keeps
// the kind of a failure, the failure stays, with the hook's `error` as its message; any other kind except
// Success is a failure of the hook.
AttemptResult read_post_hook(const config::WorkflowConfig& config, const config::Step& step,
                             const ActionResult& before, std::string_view output);

}  // namespace workflow
