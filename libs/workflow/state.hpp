// The state of a run: its live tasks, which tasks wait for which, and what may start next. Only the functions
// of workflow/machine.hpp change it. Finished tasks are removed, and so are tasks that have succeeded and
// have no `finally`: a chain of tasks needs the memory of one.
#pragma once

#include "workflow/entry.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

namespace workflow {

struct Task {
    enum class Status : std::uint8_t {
        announced,    // by an earlier entry of the same group
        ready,        // to be started
        delayed,      // a retry whose delay has not passed
        running,      // an attempt is in progress
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
    Status status = Status::announced;
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
};

// The resource that a task needs first. Each kind of ready tasks has its own queue, so that one kind never
// waits for the resources of the other. The turn defines the order between the two.
enum class Lane : std::uint8_t { local, pool };
inline constexpr std::size_t lanes = 2;

struct State {
    explicit State(const config::WorkflowConfig& config) : steps(config.steps.size()) {}

    const Task* find(TaskId id) const {
        auto found = tasks.find(id);
        return found == tasks.end() ? nullptr : &found->second;
    }

    // Whether no task is left.
    bool over() const { return tasks.empty(); }

    std::unordered_map<TaskId, Task> tasks;
    std::array<std::deque<TaskId>, lanes> ready;  // FIFO; may contain ids of tasks that are no longer ready
    std::uint64_t next_turn = 0;
    std::uint64_t running = 0;
    std::uint64_t next_id = 0;
    std::vector<StepCounters> steps;  // by StepId
};

}  // namespace workflow
