// The rules of a run: what follows from the end of a task, and how it changes the run's state. No clock, no
// random numbers, no I/O: the same entries give the same state, so a replay works like a live run.
//
// decide() only reads the state. Its group must be applied before the next decision; otherwise two tasks
// could both be taken for the last one that a `finally` waits for. Nothing in the group may have external
// effects before the group is durable.
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

// How an attempt ended: with the tasks of its response, which were checked against the config, or with a
// failure.
using AttemptResult = std::variant<std::vector<config::NewTask>, Failure>;

// The initial tasks of a run.
Group decide_initial(const State& state, std::vector<config::NewTask> tasks);

// Decides what follows from the end of `task`, which is live. The group contains its completion, and what
// that announces: its children, or its retry if the step's options allow one, and the `finally` that is due
// if nothing else is awaited.
Group decide(const config::WorkflowConfig& config, const State& state, TaskId task, AttemptResult result);

// The `finally` tasks that are due in `state` and not submitted. Needed after a replay of a history that ends
// between a completion and the `finally` that follows from it. Each is a group of its own.
std::vector<Group> decide_due(const State& state);

// Changes the state according to the entry. Fails if the entry cannot follow the earlier ones (damaged
// history); the state is unchanged then.
base::Result<void> apply(const config::WorkflowConfig& config, State& state, const Entry& entry);

// The delay of the retry `id` by its step's backoff, before jitter; empty if it may start at once.
std::optional<std::chrono::milliseconds> retry_delay(const config::WorkflowConfig& config, const State& state,
                                                     TaskId id);

// delay() takes the ready task `id` out of its queue until make_due(), which appends it. Like running
// tasks, delays are not part of the history: after a replay every retry is due.
void delay(const config::WorkflowConfig& config, State& state, TaskId id);
void make_due(const config::WorkflowConfig& config, State& state, TaskId id);

// Marks the next task to start as running and returns it: the one that has been ready longest. Empty if
// max_concurrency tasks are running. With `local_allowed` false, tasks that start with a local process are
// skipped. Tasks whose turn is `before` or later are not taken.
std::optional<TaskId> take_ready(const config::WorkflowConfig& config, State& state,
                                 bool local_allowed = true, std::uint64_t before = UINT64_MAX);

}  // namespace workflow
