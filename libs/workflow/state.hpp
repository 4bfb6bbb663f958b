// Where a run stands: its live tasks, who waits for whom, what may start next. Only the functions of
// workflow/machine.hpp change it. A task that is over is not in it any more, nor is one that has succeeded
// and has no finally to wait for: a chain of tasks takes the room of one.
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
        announced,    // by an entry before it in the same group
        ready,        // to be started
        delayed,      // a retry whose time has not come
        running,      // in its lifecycle
        waiting,      // has succeeded; its finally waits for `live` descendants
        finally_due,  // its finally is to be submitted next
    };

    config::StepId step;
    std::uint32_t attempt = 1;  // 1, 2, …
    Value value;
    std::optional<TaskId> parent;
    std::optional<TaskId> finally_for;  // set: this is that task's finally, and has none itself
    std::optional<TaskId> awaited_by;   // the nearest ancestor whose finally waits for this task
    std::uint64_t live = 0;             // tasks that are awaited_by this one and not over
    std::uint64_t turn = 0;             // its place among all that ever became ready
    Status status = Status::announced;
};

// Logical tasks of one step; finallys are counted apart.
struct StepCounters {
    std::uint64_t submitted = 0;
    std::uint64_t done = 0;
    std::uint64_t retried = 0;  // attempts beyond the first
    std::uint64_t dropped = 0;
    std::uint64_t finally_done = 0;
    std::uint64_t finally_retried = 0;
    std::uint64_t finally_dropped = 0;
};

// What a task needs first: ready tasks of either kind queue apart, so that one kind never waits for the
// other's resources. Order between the two is by turn.
enum class Lane : std::uint8_t { local, pool };
inline constexpr std::size_t lanes = 2;

struct State {
    explicit State(const config::WorkflowConfig& config) : steps(config.steps.size()) {}

    const Task* find(TaskId id) const {
        auto found = tasks.find(id);
        return found == tasks.end() ? nullptr : &found->second;
    }

    // Nothing is left to do.
    bool over() const { return tasks.empty(); }

    std::unordered_map<TaskId, Task> tasks;
    std::array<std::deque<TaskId>, lanes> ready;  // FIFO; may hold ids of tasks that are not ready any more
    std::uint64_t next_turn = 0;
    std::uint64_t running = 0;
    std::uint64_t next_id = 0;
    std::vector<StepCounters> steps;  // by StepId
};

}  // namespace workflow
