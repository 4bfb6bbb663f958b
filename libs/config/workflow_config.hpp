// A workflow as the runner needs it: parsed, checked, with the content of its links. Plain data, created by
// config/load.hpp.
#pragma once

#include "agent_driver/settings.hpp"
#include "base/id.hpp"
#include "base/labels.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace json_schema {
class Schema;  // json_schema/schema.hpp
}

namespace config {

using StepId = base::StrongId<struct StepTag, std::uint32_t>;  // index into WorkflowConfig::steps

// A place in a task's value: a JSON pointer (RFC 6901), and its tokens.
struct ValuePlace {
    std::string pointer;
    std::vector<std::string> tokens;
};

// A shell script for `sh -c`: an action or a hook.
struct Command {
    std::string script;
};

// An action for an agent. `instructions` is the author's text (inline or from the linked file), not the
// generated text.
struct PoolAction {
    std::string instructions;
    base::Labels labels = {};  // only an agent that these fit gets the task
    // A Command "on": "pool": instead of instructions, the script that an agent of the kind shell runs. The
    // labels contain base::shell_label then.
    std::optional<Command> command = {};
    std::vector<ValuePlace> images = {};  // where the paths of files are that models get as images
};

// A question to a person, who answers with the tasks that follow.
struct HumanAction {
    std::string instructions;                          // the author's text, for the person
    std::optional<std::chrono::milliseconds> expires;  // the task fails after that time; empty: it waits
};

// A `finally` that the engine does: it submits one task of `into`, with the values of the descendants that
// are tasks of one of the steps `of` and are done.
struct Gather {
    StepId into;
    std::vector<StepId> of;  // at least one
};

// The delay before retries: `initial` before the first one, multiplied by `factor` for each further one, at
// most `max`. All durations are greater than 0.
struct RetryBackoff {
    std::chrono::duration<double> initial{0};
    double factor = 2;                                 // at least 1
    std::optional<std::chrono::duration<double>> max;  // at least `initial`
    double jitter = 0;  // 0 to 1: the part of a delay by which it may be shortened at random
};

// The effective options of a step: its own, and the workflow's for those that it does not set.
struct StepOptions {
    std::optional<std::chrono::milliseconds> timeout;  // for each phase; empty: no limit
    std::string timeout_text;  // the number of seconds as it was written, for the agent's task
    std::uint32_t max_retries = 0;
    bool retry_on_timeout = true;
    bool retry_on_invalid_response = true;
    std::optional<RetryBackoff> retry_backoff;  // empty: retries start at once
    bool retry_feedback = true;                 // retries are told of the attempts before them
    bool lenient_response = false;              // a response may have text around it
    std::uint32_t max_response_bytes = std::uint32_t{64} << 20;  // a response with more is invalid
    std::uint32_t max_tasks_per_response = 100'000;              // a response with more is invalid
    // The step's own only (docs/config.md, "The order of tasks"):
    std::optional<std::uint32_t>
        max_concurrency;                   // of its tasks at the same time; empty: no limit of its own
    std::int32_t priority = 0;             // higher ones start first
    std::optional<ValuePlace> serial_key;  // tasks with the same value there never run together
};

// What the agents of a run may use; at least one of the limits is set.
struct BudgetLimits {
    std::optional<double> usd;            // more than 0
    std::optional<std::uint64_t> tokens;  // input and output; more than 0
    double warn_at = 0.8;                 // more than 0, at most 1: the part at which the run warns
};

// How far a run may go. Tasks past a bound are dropped instead of started.
struct Bounds {
    std::optional<std::uint32_t>
        max_tasks;  // how many tasks are submitted, without retries and finallys; more than 0
    std::optional<std::uint32_t>
        max_depth;  // a first task has depth 1, and each task one more than its parent; more than 0
    std::optional<std::chrono::duration<double>> max_run_seconds;  // how long tasks are started; more than 0

    bool any() const { return max_tasks || max_depth || max_run_seconds; }
};

struct Step {
    std::string name;
    std::shared_ptr<const json_schema::Schema> value_schema;  // null: any JSON value
    std::optional<Command> pre;
    std::variant<PoolAction, Command, HumanAction> action;
    std::optional<Command> post;
    std::optional<Command> finally;  // at most one of this and `gather`
    std::optional<Gather> gather;
    std::vector<StepId> next;  // empty: a terminal step
    StepOptions options;
    std::map<std::string, std::string> env;  // for its commands and hooks: its own, and the workflow's
    // Pool steps with instructions only: the generated markdown that the agent gets.
    std::string pool_instructions;

    // Whether something is done when a task of this step and all its descendants have finished.
    bool has_finally() const { return finally.has_value() || gather.has_value(); }
    bool is_pool() const { return std::holds_alternative<PoolAction>(action); }
    bool is_human() const { return std::holds_alternative<HumanAction>(action); }
};

// The script of a step whose action is a Command, on this machine or on the pool; null if it is none.
inline const Command* command_of(const Step& step) {
    if (const auto* command = std::get_if<Command>(&step.action)) return command;
    const auto* pool = std::get_if<PoolAction>(&step.action);
    return pool != nullptr && pool->command ? &*pool->command : nullptr;
}

// The labels that an agent of the pool needs for the tasks of the step; null if no agent does them.
inline const base::Labels* labels_of(const Step& step) {
    const auto* pool = std::get_if<PoolAction>(&step.action);
    return pool == nullptr ? nullptr : &pool->labels;
}

// The author's instructions of a step whose action is no Command.
inline const std::string& instructions_of(const Step& step) {
    if (const auto* human = std::get_if<HumanAction>(&step.action)) return human->instructions;
    return std::get<PoolAction>(step.action).instructions;
}

// How long a task of the step waits for a person; empty: without an end, or it is no Human step.
inline std::optional<std::chrono::milliseconds> expires_after(const Step& step) {
    const auto* human = std::get_if<HumanAction>(&step.action);
    return human ? human->expires : std::nullopt;
}

struct WorkflowConfig {
    std::optional<StepId> entrypoint;
    std::optional<std::uint32_t>
        max_concurrency;  // the maximum number of tasks that run at the same time; empty: no limit
    std::optional<BudgetLimits> budget;
    Bounds bounds;
    std::vector<agent_driver::AgentGroup> agents;  // their directories, and programs with a '/', are below
                                                   // `directory` unless the config says otherwise
    std::vector<Step> steps;
    std::unordered_map<std::string, StepId> by_name;
    std::string directory;  // absolute: the directory of the config file, or the current directory for text
                            // from elsewhere. Commands run here
    std::string resolved;   // the config as compact JSON with its links replaced. load_text() makes an equal
                            // config of it, including `resolved`, without the linked files

    const Step& step(StepId id) const { return steps[id.value]; }
    std::optional<StepId> find(const std::string& name) const {
        auto found = by_name.find(name);
        return found == by_name.end() ? std::nullopt : std::optional(found->second);
    }
};

}  // namespace config
