// The tasks of a run that are ready, and which of them starts next: that of the highest priority, and of
// those, the one that has been ready longest; unless its step runs as many tasks as it may, or a task with
// its serial key runs (docs/config.md, "The order of tasks"). Knows neither the limit of the whole run nor
// what tasks lead to. Pure.
//
// Tasks of one rank wait in one queue: those of the same priority and lane and, if their step has a limit of
// its own, of that step. A task's serial key is not looked at before the task is the first of its queue. Then
// it is filed under its key, and each queue knows the keys that nobody holds, by their first tasks. So no
// task is looked at twice, however many of them wait for one key or one step.
#pragma once

#include "base/fingerprint.hpp"
#include "config/workflow_config.hpp"
#include "workflow/entry.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace workflow {

struct Task;
using Tasks = std::unordered_map<TaskId, Task>;

// The resource that a task needs first. Each kind of ready tasks has its own queues, so that one kind never
// waits for the resources of the other. The turn defines the order between the two.
enum class Lane : std::uint8_t { local, pool };

// The config is the same for all calls. A task's turn is its position in the order in which tasks became
// ready; the turns of tasks that are added increase, and a task that is put back has its own again.
class ReadySet {
  public:
    explicit ReadySet(const config::WorkflowConfig& config);

    // The task is ready. It may be completed without being taken: then it is ready no more.
    void add(TaskId id, const Task& task);
    // The task, which was just added, is not ready any more.
    void remove(TaskId id, const Task& task, const Tasks& tasks);

    // Takes out the next task to start, which runs until it is released. With `local_allowed` false, tasks
    // that start with a local process are skipped; tasks whose turn is `before` or later are not taken.
    // Linear in the number of different ranks, and for the tasks logarithmic on average.
    std::optional<TaskId> take(const config::WorkflowConfig& config, const Tasks& tasks, bool local_allowed,
                               std::uint64_t before);
    // The task, which was taken, runs no more.
    void release(TaskId id, const Task& task);
    // The task, which was taken, runs no more, and is ready again, where it was.
    void put_back(TaskId id, const Task& task);

  private:
    using Turn = std::uint64_t;
    using Key = base::Fingerprint;
    struct Queue {
        std::int32_t priority = 0;
        Lane lane = Lane::local;
        std::optional<config::StepId> limited;  // the step, if it has a limit of its own
        bool has_keys = false;                  // whether any of its steps has a serial key
        std::deque<TaskId> tasks;               // by their turns; may have tasks that are no longer ready
        std::map<Turn, TaskId> put_back;        // those without a key; may have such tasks, too
        std::optional<TaskId> keyless;          // the first task, if it was looked at and has no key
        std::map<Turn, Key> open;  // the keys that nobody holds, by the turns of their first tasks
    };
    struct Filed {
        TaskId id;
        Turn turn;
    };
    struct KeyState {
        bool is_held = false;
        std::map<std::size_t, std::deque<Filed>> filed;  // by queue, by their turns; none is empty
    };

    std::size_t index_of(const Task& task) const;
    Queue& queue_of(const Task& task) { return queues_[index_of(task)]; }
    bool may_start(const config::WorkflowConfig& config, const Queue& queue, bool local_allowed) const;
    std::optional<Turn> first_turn(const config::WorkflowConfig& config, std::size_t index,
                                   const Tasks& tasks, Turn before);
    static std::optional<Turn> first_put_back(Queue& queue, const Tasks& tasks);
    std::optional<Turn> first_turn_without_keys(std::size_t index, const Tasks& tasks, Turn before);
    std::optional<Turn> first_turn_with_keys(const config::WorkflowConfig& config, std::size_t index,
                                             const Tasks& tasks, Turn before);
    std::optional<Key> key_of(const config::WorkflowConfig& config, Queue& queue, TaskId id,
                              const Task& task) const;
    void file(std::size_t index, const Key& key, Filed task);
    void drop_first(std::size_t index);
    void drop_stale(std::size_t index, const Tasks& tasks);
    TaskId take_first(std::size_t index, Turn turn);
    TaskId hold(std::size_t index);

    std::vector<Queue> queues_;         // the highest priority first
    std::vector<std::size_t> of_step_;  // the queue of a step's tasks, and of its finallys, in turn
    std::map<Key, KeyState> keys_;      // that are held, or have tasks that are filed
    std::unordered_map<TaskId, Key> holders_;
    std::vector<std::uint64_t> running_;  // by StepId, of the steps with a limit of their own
};

}  // namespace workflow
