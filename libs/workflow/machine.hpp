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
#include "pool_protocol/agent_report.hpp"
#include "workflow/entry.hpp"
#include "workflow/state.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace workflow {

// How an attempt ended: with the tasks of its response, which were checked against the config, or with a
// failure.
using AttemptResult = std::variant<std::vector<config::NewTask>, Failure>;

// The end of an attempt. Not an aggregate, because it travels through coroutines.
struct AttemptEnd {
    AttemptEnd(AttemptResult how, std::optional<pool_protocol::AgentReport> told = std::nullopt)
        : result(std::move(how)), report(std::move(told)) {}

    AttemptResult result;
    std::optional<pool_protocol::AgentReport> report;  // of the agent that had the task
    bool is_lenient = false;  // the action's response was taken out of the text around it
    std::shared_ptr<const Measured> measured = nullptr;  // null if no local process ran
    std::shared_ptr<const std::string> agent = nullptr;  // that had the task last; null if none is known
};

// The initial tasks of a run.
Group decide_initial(const State& state, std::vector<config::NewTask> tasks);

// Decides what follows from the end of `task`, which is live. The group contains its completion, and what
// that announces: its children, or its retry if the step's options allow one and the failure is not
// permanent, and the `finally` that is due if nothing else is awaited.
// A task that is past a bound ends in the same way, without an attempt (workflow/bounds.hpp).
//
// `report` (of the agent that had the task) and `is_lenient` become parts of the completion.
Group decide(const config::WorkflowConfig& config, const State& state, TaskId task, AttemptResult result,
             std::optional<pool_protocol::AgentReport> report = std::nullopt, bool is_lenient = false);

// A task to be created whose value is kept elsewhere, too.
struct SharedTask {
    config::StepId step;
    Value value;
};

// The result of a task of an earlier run.
struct EarlierResult {
    std::vector<SharedTask> next;
    ReusedFrom from;
};

// Decides as decide() does, for the ready task `task`, which succeeds with that result and without an
// attempt.
Group decide_reused(const config::WorkflowConfig& config, const State& state, TaskId task,
                    EarlierResult result);

// Decides as decide() does, for a task that waits for a person, who has answered: with tasks, or by rejecting
// it.
Group decide_answered(const config::WorkflowConfig& config, const State& state, TaskId task,
                      AttemptResult result, AnsweredBy by);

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
void delay(State& state, TaskId id);
void make_due(State& state, TaskId id);

// Marks the next task to start as running and returns it: of those that their steps' limits and their serial
// keys allow to start, and that have the highest priority, the one that has been ready longest. Empty if
// there is none, or if max_concurrency tasks are running. With `local_allowed` false, tasks that start with a
// local process are skipped. Tasks whose turn is `before` or later are not taken.
std::optional<TaskId> take_ready(const config::WorkflowConfig& config, State& state,
                                 bool local_allowed = true, std::uint64_t before = UINT64_MAX);

// Undoes take_ready(): the attempt of the running task was not made. The task is ready again, at its
// earlier place in the order.
void put_back(State& state, TaskId id);

}  // namespace workflow
