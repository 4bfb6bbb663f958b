// One attempt at a task from its start to its result: pre hook, action and post hook, or a
// finally: its script, or a gather (docs/hooks.md; what a failure of each leads to: docs/retries.md, "The
// failure of a phase"). A machine: it says what is to be done next, and is told how that ended. Pure. Knows
// nothing of retries, of other tasks or of the run's state.
#pragma once

#include "base/spliced_text.hpp"
#include "config/workflow_config.hpp"
#include "workflow/action_result.hpp"
#include "workflow/attempt_event.hpp"
#include "workflow/feedback.hpp"
#include "workflow/machine.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace workflow {

// What an attempt is doing. `pool`: submitted, whether or not an agent has it yet. `human`: no attempt is
// made; the task waits for the answer of a person.
enum class Phase : std::uint8_t { pre, command, pool, post, finally, human };

// ---- actions: what is to be done next ----

// Answered with a ScriptEnd, or in the phase `pool` with a PoolAnswer if the script was not run.
struct RunScript {
    Phase phase;            // `pool`: by an agent of the kind shell; otherwise on this machine
    std::string_view name;  // "command", "pre hook", …: for messages. A literal
    std::string script;     // for `sh -c`
    base::SplicedText input;
    std::optional<std::chrono::milliseconds> timeout;
    std::size_t max_output;  // in bytes; if it prints more, it is ended
};

// Answered with a PoolAnswer. From here on no script runs until that has come.
struct SubmitToPool {
    base::SplicedText payload;
};

// Answered with a GatherEnd.
struct GatherResults {
    const config::Gather* gather;  // of the step
};

// The attempt is over.
struct EndAttempt {
    AttemptResult result;
    std::optional<pool_protocol::AgentReport> report = std::nullopt;  // of the agent that had the task
    bool is_lenient = false;  // the action's response was taken out of the text around it
};

using AttemptAction = std::variant<RunScript, SubmitToPool, GatherResults, EndAttempt>;

// ---- the machine ----

// Call begin() once, and apply() after each action but the last, with how that action ended; anything else is
// a bug and throws. An attempt that is cancelled has no result: its machine is dropped.
class AttemptMachine {
  public:
    // `value` is the task's; agents are told of the previous attempts at it, if there are any. The config
    // must outlive the machine.
    AttemptMachine(const config::WorkflowConfig& config, config::StepId step, Value value, bool is_finally,
                   PreviousAttempts previous = nullptr);

    AttemptAction begin();
    AttemptAction apply(AttemptEvent event);

  private:
    AttemptAction go_on(Phase phase, AttemptEvent event);
    AttemptAction begin_finally();
    AttemptAction begin_action();
    // The post hook if there is one, otherwise the end.
    AttemptAction begin_post(ActionResult result);
    AttemptAction end_pre(const ScriptEnd& end);
    AttemptAction end_post(const ScriptEnd& end) const;
    AttemptResult result_of_post(const ScriptEnd& end) const;
    AttemptAction end_finally(const ScriptEnd& end) const;
    AttemptAction end_gather(const GatherEnd& end) const;
    AttemptAction run(Phase phase, std::string_view name, const config::Command& command,
                      base::SplicedText input);

    const config::WorkflowConfig& config_;
    const config::Step& step_;
    Value input_;  // the task's value, and after a pre hook that hook's
    bool is_finally_;
    PreviousAttempts previous_;
    std::optional<Phase> phase_;  // what was begun and has not ended
    std::optional<pool_protocol::AgentReport> report_;
    bool is_lenient_ = false;
    ActionResult result_;  // in Phase::post: what the post hook was told
};

}  // namespace workflow
