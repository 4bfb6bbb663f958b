// A workflow as the runner needs it: parsed, checked, its links read in. Plain data; built by
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

// A shell text for `sh -c`: an action or a hook.
struct Command {
    std::string script;
};

// Work for an agent. `instructions` is the author's text (inline or from the linked file), not the generated
// one.
struct PoolAction {
    std::string instructions;
};

// How long a task waits before it is tried again. The first retry waits `initial`, each one after it `factor`
// times as long as the one before, none longer than `max`. All spans are more than 0.
struct RetryBackoff {
    std::chrono::duration<double> initial{0};
    double factor = 2;                                 // at least 1
    std::optional<std::chrono::duration<double>> max;  // at least `initial`
    double jitter = 0;  // 0 to 1: the part of a wait that chance may take off it
};

// The options in force for one step: its own over the workflow's.
struct StepOptions {
    std::optional<std::chrono::milliseconds> timeout;  // of each phase; none: no limit
    std::string timeout_text;  // the number of seconds as it was written, for the payload
    std::uint32_t max_retries = 0;
    bool retry_on_timeout = true;
    bool retry_on_invalid_response = true;
    std::optional<RetryBackoff> retry_backoff;  // none: a retry is ready at once
};

struct Step {
    std::string name;
    std::shared_ptr<const json_schema::Schema> value_schema;  // null: any JSON value
    std::optional<Command> pre;
    std::variant<PoolAction, Command> action;
    std::optional<Command> post;
    std::optional<Command> finally;
    std::vector<StepId> next;  // empty: terminal
    StepOptions options;
    std::string pool_instructions;  // Pool only: the generated markdown that the agent gets

    bool is_pool() const { return std::holds_alternative<PoolAction>(action); }
};

struct WorkflowConfig {
    std::optional<StepId> entrypoint;
    std::optional<std::uint32_t> max_concurrency;  // tasks in their lifecycle at once; none: no limit
    std::vector<Step> steps;
    std::unordered_map<std::string, StepId> by_name;
    std::string directory;  // absolute: the config file's, or the working directory for text from elsewhere;
                            // commands run here
    std::string resolved;   // the config as compact JSON, links read in: load_text() of it gives an
                            // equal config, its own `resolved` included, without the linked files

    const Step& step(StepId id) const { return steps[id.value]; }
    std::optional<StepId> find(const std::string& name) const {
        auto found = by_name.find(name);
        return found == by_name.end() ? std::nullopt : std::optional(found->second);
    }
};

}  // namespace config
