// How the parts of an attempt ended, as the attempt's machine (workflow/attempt.hpp) is told: a script that
// the attempt ran, or a submission to the pool. Plain data.
#pragma once

#include <optional>
#include <string>
#include <variant>

namespace workflow {

// A script exited with code 0.
struct ScriptOutput {
    std::string text;  // stdout
};

// A script ended in any other way, or could not be started.
struct ScriptFailure {
    std::string description;       // "exited with code 3", and the end of stderr on further lines
    bool timed_out = false;        // and was ended
    std::optional<int> exit_code;  // one of these two, or none
    std::optional<int> signal;
};

using ScriptEnd = std::variant<ScriptOutput, ScriptFailure>;

// An agent's response.
struct PoolResponse {
    std::string text;
    std::string agent;  // as messages name it, "agent claude-2"; empty if unknown
};

// No response came within the task's timeout.
struct PoolTimeout {
    std::string agent;   // that had the task, as messages name it; empty if none had it, or if unknown
    std::string reason;  // the last one that an agent gave for not doing the task; may be empty
};

// The pool did not accept the task or its response.
struct PoolRefusal {
    std::string message;
};

// An agent's command failed.
struct AgentFailure {
    std::string message;
    std::optional<int> exit_code;  // one of these two, or none
    std::optional<int> signal;
};

// Several agents died while they worked on the task.
struct AgentsLost {
    std::string message;
};

using PoolAnswer = std::variant<PoolResponse, PoolTimeout, PoolRefusal, AgentFailure, AgentsLost>;

using AttemptEvent = std::variant<ScriptEnd, PoolAnswer>;

}  // namespace workflow
