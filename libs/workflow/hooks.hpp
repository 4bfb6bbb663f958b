// The texts that hooks print, and the one that the post hook reads (docs/hooks.md, "The result"). Pure.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "workflow/action_result.hpp"
#include "workflow/machine.hpp"

#include <string>
#include <string_view>
#include <variant>

namespace workflow {

// A failure of that hook ("pre", "post", "finally").
Failure hook_failure(std::string hook, std::string message);

// The value that a pre hook prints, as compact JSON. It is not checked against the step's schema.
std::variant<std::string, Failure> read_pre_hook(std::string_view output);

// The stdin of the post hook: {"kind":"Success","input":…,"output":…,"next":[…]}, or a Timeout, Error or
// PreHookError. `input` is the value that the action got.
std::string post_hook_input(std::string_view input, const ActionResult& result);

// The attempt's result, from what the post hook printed: an object of the same form. If the kind is still
// that of the failure `before`, the failure stays as it was, with the hook's `error` as its message (a
// Timeout has none). Otherwise a Timeout is a timeout of the attempt, and any other kind than Success is a
// failure of the hook.
AttemptResult read_post_hook(const config::WorkflowConfig& config, const config::Step& step,
                             const ActionResult& before, std::string_view output);

}  // namespace workflow
