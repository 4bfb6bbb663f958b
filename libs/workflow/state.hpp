// The state of a run: its live tasks, which tasks wait for which, and what may start next. Only the functions
// of workflow/machine.hpp change it. Finished tasks are removed, and so are tasks that have succeeded and
// have no `finally`: a chain of tasks needs the memory of one.
#pragma once

#include "workflow/entry.hpp"
#include "workflow/feedback.hpp"
#include "workflow/ready_set.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

namespace workflow {

// A limit of the whole run (config::Bounds).
enum class Bound : std::uint8_t { max_tasks, max_depth, max_run_seconds };
inline constexpr std::size_t bound_count = 3;

struct Task {
    enum class Status : std::uint8_t {
        announced,    // by an earlier entry of the same group
        ready,        // to be started
        delayed,      // a retry whose delay has not passed
        running,      // an attempt is in progress
        asked,        // waits for the answer of a person
        waiting,      // has succeeded; its `finally` waits for `live` descendants
        finally_due,  // its `finally` must be submitted next
    };

    config::StepId step;
    std::uint32_t attempt = 1;  // 1, 2, …
    Value value;
    std::optional<TaskId> parent;
    std::optional<TaskId> finally_for;  // set: this is the `finally` of that task, and has none itself
    std::optional<TaskId> awaited_by;   // the nearest ancestor whose `finally` waits for this task
    std::uint64_t live = 0;             // tasks that are awaited_by this one and have not finished
    std::uint64_t turn = 0;             // its position in the order in which tasks became ready
    std::uint32_t number = 0;  // 1, 2, … in the order of submission; finallys have those of their tasks
    std::uint32_t depth = 1;   // of a first task 1, of another one more than its parent's
    Status status = Status::announced;
    // An attempt at the task, or at one that its `finally` waits for, has ended in this run.
    bool has_run = false;
};

// Counts of a step's tasks; `finally` tasks are counted separately.
struct StepCounters {
    std::uint64_t submitted = 0;
    std::uint64_t done = 0;
    std::uint64_t retried = 0;  // attempts after the first
    std::uint64_t dropped = 0;
    std::uint64_t finally_done = 0;
    std::uint64_t finally_retried = 0;
    std::uint64_t finally_dropped = 0;
    std::array<std::uint64_t, bound_count> past_bound{};  // by Bound: those of `dropped` that were past it
};

struct State {
    explicit State(const config::WorkflowConfig& config) : ready(config), steps(config.steps.size()) {}

    const Task* find(TaskId id) const {
        auto found = tasks.find(id);
        return found == tasks.end() ? nullptr : &found->second;
    }

    // Whether no task is left.
    bool over() const { return tasks.empty(); }

    // The attempts before the task `id`, if it is a retry that is told of them.
    PreviousAttempts previous_of(TaskId id) const {
        auto found = previous_attempts.find(id);
        return found == previous_attempts.end() ? nullptr : found->second;
    }

    Tasks tasks;
    std::unordered_map<TaskId, PreviousAttempts> previous_attempts;  // only of live retries
    ReadySet ready;
    std::set<TaskId> asked;  // those that wait for a person
    std::uint64_t next_turn = 0;
    std::uint64_t running = 0;
    std::uint64_t next_id = 0;
    std::uint32_t submitted = 0;      // the number of tasks so far; stops at the largest
    std::vector<StepCounters> steps;  // by StepId
};

}  // namespace workflow
