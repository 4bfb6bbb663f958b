// How the parts of an attempt ended, as the attempt's machine (workflow/attempt.hpp) is told: a script that
// the attempt ran, a submission to the pool, or a `gather`. Plain data.
#pragma once

#include "pool_protocol/agent_report.hpp"

#include <cstdint>
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
    std::string description;        // "exited with code 3", and the end of stderr on further lines
    bool timed_out = false;         // and was ended
    bool printed_too_much = false;  // more than RunScript::max_output, and was ended
    bool is_permanent = false;      // trying again cannot help
    std::optional<int> exit_code;   // one of these two, or none
    std::optional<int> signal;
};

using ScriptEnd = std::variant<ScriptOutput, ScriptFailure>;

// An agent's response.
struct PoolResponse {
    std::string text;
    std::string agent;  // as messages name it, "agent claude-2"; empty if unknown
    std::optional<pool_protocol::AgentReport> report = std::nullopt;
};

// No response came within the task's timeout.
struct PoolTimeout {
    std::string agent;   // that had the task, as messages name it; empty if none had it, or if unknown
    std::string reason;  // the last one that an agent gave for not doing the task; may be empty
    std::optional<pool_protocol::AgentReport> report = std::nullopt;
};

// The pool did not accept the task or its response.
struct PoolRefusal {
    std::string message;
};

// An agent failed at the task.
struct AgentFailure {
    std::string message;
    std::optional<int> exit_code;  // one of these two, or none
    std::optional<int> signal;
    std::string name = {};      // of the failure, for programs; may be empty
    bool is_permanent = false;  // trying again cannot help
    std::optional<pool_protocol::AgentReport> report = std::nullopt;
};

// Several agents died while they worked on the task.
struct AgentsLost {
    std::string message;
    std::optional<pool_protocol::AgentReport> report = std::nullopt;
};

using PoolAnswer = std::variant<PoolResponse, PoolTimeout, PoolRefusal, AgentFailure, AgentsLost>;

// What a `gather` has found.
struct Gathered {
    std::string results;           // a JSON array of {"kind","value"}
    std::uint64_t dropped = 0;     // tasks: the one that gathers, and its descendants
    bool is_task_dropped = false;  // the one that gathers: there are no descendants
};

// The results could not be read.
struct GatherError {
    std::string message;
};

using GatherEnd = std::variant<Gathered, GatherError>;

using AttemptEvent = std::variant<ScriptEnd, PoolAnswer, GatherEnd>;

}  // namespace workflow
