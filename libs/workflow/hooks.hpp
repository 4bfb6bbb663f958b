// What hooks print and what the post hook is told: texts in and out. Runs nothing.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "workflow/machine.hpp"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace workflow {

// How the pre hook and the action went: the action's answer as it came, and what it asks for; or why there is
// none.
struct ActionSuccess {
    std::string output;  // JSON text
    std::vector<config::NewTask> next;
};
using ActionResult = std::variant<ActionSuccess, Failure>;

// A failure of that hook ("pre", "post", "finally").
Failure hook_failure(std::string hook, std::string message);

// What a message shows of a text that was not what it should be: "it was: …", "it began with: …".
std::string shortened(std::string_view text);

// The value that a pre hook prints, as compact JSON. It is not held against the step's schema again.
std::variant<std::string, Failure> read_pre_hook(std::string_view output);

// {"kind":"Success","input":…,"output":…,"next":[…]}, or Timeout, Error or PreHookError: the post hook's
// stdin. `input` is the value that the action got.
std::string post_hook_input(std::string_view input, const ActionResult& result);

// What counts in the end: the same kind of object, as the post hook prints it. A failure whose kind it leaves
// alone stays the failure that it was, with the hook's `error` for a message; any other kind than Success is
// the hook's failure.
AttemptResult read_post_hook(const config::WorkflowConfig& config, const config::Step& step,
                             const ActionResult& before, std::string_view output);

}  // namespace workflow
