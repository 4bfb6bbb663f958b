// The rules of a run: what a task's end leads to, and how that changes the run's state. No clock, no
// randomness, no I/O: the same entries give the same state, so replaying a history and living it are one
// thing.
//
// decide() only reads the state. Its group must be applied before anything else is decided, or two ends would
// be taken for the last one; nothing of it may have effects outside before it is durable.
#pragma once

#include "base/error.hpp"
#include "config/response.hpp"
#include "config/workflow_config.hpp"
#include "workflow/entry.hpp"
#include "workflow/state.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace workflow {

// How an attempt ended: with the tasks that it asks for, checked against the config, or with a failure.
using AttemptResult = std::variant<std::vector<config::NewTask>, Failure>;

// The tasks that a run begins with.
Group decide_initial(const State& state, std::vector<config::NewTask> tasks);

// `task`, which is live, has ended. The group holds its completion and then what that announces: its
// children, or its retry while its step's policy grants one, and the finally that is due because nothing else
// is awaited.
Group decide(const config::WorkflowConfig& config, const State& state, TaskId task, AttemptResult result);

// The finallys that are due in `state` and not submitted: after a replay, where a history ends between a
// completion and the finally that follows from it. Each is a group of its own.
std::vector<Group> decide_due(const State& state);

// Changes the state as the entry says. The error is for entries that can't follow from those before (a
// damaged history); the state is unchanged then.
base::Result<void> apply(const config::WorkflowConfig& config, State& state, const Entry& entry);

// How long the retry `task` is to wait, by its step's backoff and before chance has its say; nothing if it
// may start at once.
std::optional<std::chrono::milliseconds> retry_delay(const config::WorkflowConfig& config, const State& state,
                                                     TaskId task);

// `task` is ready, and shall not be before make_due(): it is in no queue until then, and goes to the back.
// Like what is running, what is delayed is no part of the history: after a replay every retry is due.
void delay(const config::WorkflowConfig& config, State& state, TaskId task);
void make_due(const config::WorkflowConfig& config, State& state, TaskId task);

// Marks the task that is to be started next as running and returns it: the one ready for longest,
// unless max_concurrency tasks are running. `local_allowed` false passes over tasks that start with a local
// process. Those whose turn is `before` or later stay where they are.
std::optional<TaskId> take_ready(const config::WorkflowConfig& config, State& state,
                                 bool local_allowed = true, std::uint64_t before = UINT64_MAX);

}  // namespace workflow
