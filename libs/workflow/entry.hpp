// What happens to the tasks of a run, as values: the entries of its history, in the order in which they
// happened. Applying them one after the other gives the run's state, whether they happen now or are
// read back. Plain data; makes no decisions.
#pragma once

#include "base/id.hpp"
#include "config/workflow_config.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace workflow {

// One attempt at a logical task. Counted from 0 in the order of submission, never used twice in a run.
using TaskId = base::StrongId<struct TaskTag>;

// Compact JSON text, untouched otherwise, shared by all attempts at a task.
using Value = std::shared_ptr<const std::string>;

// How a task came to be.
struct Initial {};
struct Spawned {};  // by its parent's response
struct Retry {
    TaskId replaces;  // the attempt that failed
};
struct Finally {
    TaskId finally_for;  // the last attempt of the task that is over, and all its descendants with it
};
using Origin = std::variant<Initial, Spawned, Retry, Finally>;

// `parent` is the task whose response announced this one. A retry, and the finally of a task, have the parent
// of the task they belong to.
struct TaskSubmitted {
    TaskId task;
    config::StepId step;
    Value value;
    std::optional<TaskId> parent;
    Origin origin;
};

struct Failure {
    enum class Kind { timeout, agent_lost, agent_failed, invalid_response, command_failed, hook_failed };
    Kind kind = Kind::command_failed;
    std::string message;           // for a person; may end in lines of stderr
    std::optional<int> exit_code;  // command_failed, agent_failed: one of these two, or none
    std::optional<int> signal;
    std::string hook;  // hook_failed: "pre", "post" or "finally"
};

struct Succeeded {
    std::vector<TaskId> spawned;
};
struct Failed {
    Failure failure;
    std::optional<TaskId> retry;  // none: the task is dropped
};
struct TaskCompleted {
    TaskId task;
    std::variant<Succeeded, Failed> outcome;
};

using Entry = std::variant<TaskSubmitted, TaskCompleted>;

// A completion with all that it announces, or all the tasks that a run begins with: it happens whole or not
// at all.
using Group = std::vector<Entry>;

}  // namespace workflow
