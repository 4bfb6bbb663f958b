// Runs an attempt's machine without a shell: every action is answered as the test says.
#pragma once

#include "run_helper.hpp"
#include "workflow/attempt.hpp"

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace workflow_test {

inline ScriptFailure exited(int code) {
    ScriptFailure failure;
    failure.description = "exited with code " + std::to_string(code);
    failure.exit_code = code;
    return failure;
}

inline ScriptFailure timed_out() {
    ScriptFailure failure;
    failure.description = "took longer than its timeout and was ended";
    failure.timed_out = true;
    return failure;
}

inline ScriptFailure killed(int signal) {
    ScriptFailure failure;
    failure.description = "was killed";
    failure.signal = signal;
    return failure;
}

inline AgentFailure agent_failure() {
    return {"the command exited with code 4", 4, {}};
}

// What a hook does with its stdin.
using Hook = std::function<ScriptEnd(const std::string& input)>;

inline Hook prints(std::string output) {
    return [output](const std::string&) { return ScriptOutput{output}; };
}
inline Hook fails(ScriptFailure failure) {
    return [failure](const std::string&) { return failure; };
}
inline ScriptEnd cat(const std::string& input) {
    return ScriptOutput{input};
}

// How each part of an attempt ends, if it is run.
struct Parts {
    Hook pre = cat;
    AttemptEvent action = ScriptEnd(ScriptOutput{"[]"});
    Hook post = cat;
    Hook finally = prints("[]");
    GatherEnd gathered = Gathered{"[]"};
};

inline std::string name_of(Phase phase) {
    return std::vector<std::string>{"pre", "command", "pool", "post",
                                    "finally"}[static_cast<std::size_t>(phase)];
}

inline Phase phase_of(const AttemptAction& action) {
    auto* script = std::get_if<RunScript>(&action);
    if (std::holds_alternative<GatherResults>(action)) return Phase::finally;
    return script ? script->phase : Phase::pool;
}

inline std::string input_of(const AttemptAction& action) {
    auto* script = std::get_if<RunScript>(&action);
    if (std::holds_alternative<GatherResults>(action)) return "";
    return script ? script->input.text() : std::get<SubmitToPool>(action).payload.text();
}

// An attempt from its start to its end.
struct Attempted {
    std::string phases;               // "pre command post"
    std::vector<std::string> inputs;  // of each phase
    AttemptResult result;
    std::optional<pool_protocol::AgentReport> report;
    bool is_lenient = false;

    const Failure& failure() const { return std::get<Failure>(result); }
    const std::vector<config::NewTask>& next() const {
        return std::get<std::vector<config::NewTask>>(result);
    }
};

inline AttemptEvent end_of(Phase phase, const std::string& input, const Parts& parts) {
    if (phase == Phase::pre) return parts.pre(input);
    if (phase == Phase::post) return parts.post(input);
    if (phase == Phase::finally) return parts.finally(input);
    return parts.action;
}

inline Attempted attempt(const config::WorkflowConfig& config, config::StepId step, const Parts& parts,
                         bool is_finally = false, std::string value = "{}") {
    Attempted attempted;
    AttemptMachine machine(config, step, std::make_shared<const std::string>(std::move(value)), is_finally);
    AttemptAction action = machine.begin();
    while (!std::holds_alternative<EndAttempt>(action)) {
        Phase phase = phase_of(action);
        attempted.phases += (attempted.phases.empty() ? "" : " ") + name_of(phase);
        attempted.inputs.push_back(input_of(action));
        if (attempted.inputs.size() > 3) throw std::runtime_error("too many phases: " + attempted.phases);
        bool gathers = std::holds_alternative<GatherResults>(action);
        action = machine.apply(gathers ? AttemptEvent(parts.gathered)
                                       : end_of(phase, attempted.inputs.back(), parts));
    }
    auto& end = std::get<EndAttempt>(action);
    attempted.result = std::move(end.result);
    attempted.report = std::move(end.report);
    attempted.is_lenient = end.is_lenient;
    return attempted;
}

}  // namespace workflow_test
