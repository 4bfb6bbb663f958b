// One attempt at a task from its start to its result: pre hook, action and post hook, or the script of a
// finally (docs/hooks.md; what a failure of each leads to: docs/retries.md, "The failure of a phase"). A
// machine: it says what is to be done next, and is told how that ended. Pure. Knows nothing of retries, of
// other tasks or of the run's state.
#pragma once

#include "base/spliced_text.hpp"
#include "config/workflow_config.hpp"
#include "workflow/action_result.hpp"
#include "workflow/attempt_event.hpp"
#include "workflow/machine.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace workflow {

// What an attempt is doing. `pool`: submitted, whether or not an agent has it yet.
enum class Phase : std::uint8_t { pre, command, pool, post, finally };

// ---- actions: what is to be done next ----

// Answered with a ScriptEnd.
struct RunScript {
    Phase phase;            // any but `pool`
    std::string_view name;  // "command", "pre hook", …: for messages. A literal
    std::string script;     // for `sh -c`
    base::SplicedText input;
    std::optional<std::chrono::milliseconds> timeout;
};

// Answered with a PoolAnswer. From here on no script runs until that has come.
struct SubmitToPool {
    base::SplicedText payload;
};

// The attempt is over.
struct EndAttempt {
    AttemptResult result;
};

using AttemptAction = std::variant<RunScript, SubmitToPool, EndAttempt>;

// ---- the machine ----

// Call begin() once, and apply() after each action but the last, with how that action ended; anything else is
// a bug and throws. An attempt that is cancelled has no result: its machine is dropped.
class AttemptMachine {
  public:
    // `value` is the task's. The config must outlive the machine.
    AttemptMachine(const config::WorkflowConfig& config, config::StepId step, Value value, bool is_finally);

    AttemptAction begin();
    AttemptAction apply(AttemptEvent event);

  private:
    AttemptAction begin_action();
    // The post hook if there is one, otherwise the end.
    AttemptAction begin_post(ActionResult result);
    AttemptAction end_pre(const ScriptEnd& end);
    AttemptAction end_post(const ScriptEnd& end) const;
    AttemptAction end_finally(const ScriptEnd& end) const;
    AttemptAction run(Phase phase, std::string_view name, const config::Command& command,
                      base::SplicedText input);

    const config::WorkflowConfig& config_;
    const config::Step& step_;
    Value input_;  // the task's value, and after a pre hook that hook's
    bool is_finally_;
    std::optional<Phase> phase_;  // what was begun and has not ended
    ActionResult result_;         // in Phase::post: what the post hook was told
};

}  // namespace workflow
