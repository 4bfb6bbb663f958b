// A workflow as the runner needs it: parsed, checked, with the content of its links. Plain data, created by
// config/load.hpp.
#pragma once

#include "base/id.hpp"

#include <chrono>
#include <cstdint>
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

// A shell script for `sh -c`: an action or a hook.
struct Command {
    std::string script;
};

// An action for an agent. `instructions` is the author's text (inline or from the linked file), not the
// generated text.
struct PoolAction {
    std::string instructions;
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
};

struct Step {
    std::string name;
    std::shared_ptr<const json_schema::Schema> value_schema;  // null: any JSON value
    std::optional<Command> pre;
    std::variant<PoolAction, Command> action;
    std::optional<Command> post;
    std::optional<Command> finally;
    std::vector<StepId> next;  // empty: a terminal step
    StepOptions options;
    std::string pool_instructions;  // Pool steps only: the generated markdown that the agent gets

    bool is_pool() const { return std::holds_alternative<PoolAction>(action); }
};

struct WorkflowConfig {
    std::optional<StepId> entrypoint;
    std::optional<std::uint32_t>
        max_concurrency;  // the maximum number of tasks that run at the same time; empty: no limit
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
