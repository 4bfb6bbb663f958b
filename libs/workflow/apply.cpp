#include "base/text.hpp"
#include "workflow/machine.hpp"
#include "workflow/rules.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace workflow {

namespace {

using Status = Task::Status;

base::Error contradiction(TaskId task, std::string_view what) {
    return base::invalid(base::concat("task ", task.value, " ", what));
}

bool is_live(const Task& task) {
    return task.status == Status::ready || task.status == Status::running;
}

std::deque<TaskId>& queue_of(const config::WorkflowConfig& config, State& state, const Task& task) {
    return state.ready[static_cast<std::size_t>(lane(config, task))];
}

void put_at_the_back(const config::WorkflowConfig& config, State& state, TaskId id, Task& task) {
    task.status = Status::ready;
    task.turn = state.next_turn++;
    queue_of(config, state, task).push_back(id);
}

constexpr std::string_view another = "is submitted as another task than was announced";

// Whether the entry can belong to the task, as a retry or a `finally`.
bool belongs_to(const TaskSubmitted& entry, const Task& task) {
    return entry.step == task.step && entry.parent == task.parent;
}

// Applies one entry; consists of references only.
struct Applier {
    const config::WorkflowConfig& config;
    State& state;

    StepCounters& counters(const Task& task) { return state.steps[task.step.value]; }

    void make_ready(TaskId id, Task& task, const TaskSubmitted& entry) {
        task.step = entry.step;
        task.value = entry.value;
        task.parent = entry.parent;
        put_at_the_back(config, state, id, task);
        state.next_id = std::max(state.next_id, id.value + 1);
    }

    // Continues the task under another id: a retry or a `finally` takes the place of its task.
    Task& rename(TaskId from, TaskId to) {
        auto node = state.tasks.extract(from);
        node.key() = to;
        return state.tasks.insert(std::move(node)).position->second;
    }

    void announce(TaskId id, TaskId parent, std::optional<TaskId> awaited_by) {
        Task child;
        child.parent = parent;
        child.awaited_by = awaited_by;
        state.tasks.emplace(id, std::move(child));
    }

    // Removes a task that has finished, with all its descendants, and has no `finally` left.
    void remove(TaskId id) {
        auto awaited_by = state.tasks.at(id).awaited_by;
        state.tasks.erase(id);
        if (!awaited_by) return;
        Task& ancestor = state.tasks.at(*awaited_by);
        if (--ancestor.live == 0) ancestor.status = Status::finally_due;
    }

    void leave_lifecycle(Task& task) {
        if (task.status == Status::running) --state.running;
    }

    void end_without_children(TaskId id, Task& task) {
        if (has_finally(config, task))
            task.status = Status::finally_due;
        else
            remove(id);
    }

    void spawn(TaskId id, Task& task, const std::vector<TaskId>& children) {
        auto awaited_by = task.awaited_by;
        bool waits = has_finally(config, task);
        if (waits) {
            task.status = Status::waiting;
            task.live = children.size();
            awaited_by = id;
        } else if (awaited_by) {
            state.tasks.at(*awaited_by).live += children.size();
        }
        // Reserved at once for many children: growing in steps would rehash them repeatedly.
        if (children.size() > state.tasks.size()) state.tasks.reserve(state.tasks.size() + children.size());
        for (TaskId child : children)
            announce(child, id, awaited_by);
        if (!waits) remove(id);
    }

    base::Result<void> complete(TaskId id, Task& task, const Succeeded& outcome) {
        std::uint64_t least = state.next_id;
        for (TaskId child : outcome.spawned) {
            if (child.value < least || state.tasks.contains(child))
                return contradiction(child, "is announced as new, but its id has been used before");
            least = child.value + 1;
        }
        leave_lifecycle(task);
        ++(task.finally_for ? counters(task).finally_done : counters(task).done);
        if (outcome.spawned.empty())
            end_without_children(id, task);
        else
            spawn(id, task, outcome.spawned);
        return {};
    }

    base::Result<void> complete(TaskId id, Task& task, const Failed& outcome) {
        if (outcome.retry && (outcome.retry->value < state.next_id || state.tasks.contains(*outcome.retry)))
            return contradiction(*outcome.retry, "is announced as a retry, but its id has been used before");
        leave_lifecycle(task);
        if (outcome.retry) {
            ++(task.finally_for ? counters(task).finally_retried : counters(task).retried);
            ++task.attempt;
            task.status = Status::announced;
            rename(id, *outcome.retry);
        } else {
            ++(task.finally_for ? counters(task).finally_dropped : counters(task).dropped);
            end_without_children(id, task);
        }
        return {};
    }

    base::Result<void> operator()(const TaskCompleted& entry) {
        auto found = state.tasks.find(entry.task);
        if (found == state.tasks.end() || !is_live(found->second))
            return contradiction(entry.task, "is completed, but was not to be done");
        return std::visit([&](const auto& outcome) { return complete(entry.task, found->second, outcome); },
                          entry.outcome);
    }

    base::Result<void> submit_initial(const TaskSubmitted& entry) {
        if (entry.parent)
            return contradiction(entry.task, "is one that the run began with, but has a parent");
        if (entry.task.value < state.next_id) return contradiction(entry.task, "is submitted twice");
        make_ready(entry.task, state.tasks[entry.task], entry);
        ++state.steps[entry.step.value].submitted;
        return {};
    }

    base::Result<void> submit_finally(const TaskSubmitted& entry, TaskId owner) {
        auto found = state.tasks.find(owner);
        if (found == state.tasks.end() || found->second.status != Status::finally_due)
            return contradiction(entry.task,
                                 base::concat("is the finally of task ", owner.value, ", which is not due"));
        if (entry.task.value < state.next_id) return contradiction(entry.task, "is submitted twice");
        if (!belongs_to(entry, found->second)) return contradiction(entry.task, another);
        Task& task = rename(owner, entry.task);
        task.finally_for = owner;
        task.attempt = 1;
        make_ready(entry.task, task, entry);
        return {};
    }

    base::Result<void> submit_announced(const TaskSubmitted& entry) {
        auto found = state.tasks.find(entry.task);
        if (found == state.tasks.end() || found->second.status != Status::announced)
            return contradiction(entry.task, "is submitted, but no task has announced it");
        bool retry = std::holds_alternative<Retry>(entry.origin);
        if (retry != (found->second.attempt > 1) || entry.parent != found->second.parent ||
            (retry && !belongs_to(entry, found->second)))
            return contradiction(entry.task, another);
        make_ready(entry.task, found->second, entry);
        if (std::holds_alternative<Spawned>(entry.origin)) ++counters(found->second).submitted;
        return {};
    }

    base::Result<void> operator()(const TaskSubmitted& entry) {
        if (std::holds_alternative<Initial>(entry.origin)) return submit_initial(entry);
        if (auto* finally = std::get_if<Finally>(&entry.origin))
            return submit_finally(entry, finally->finally_for);
        return submit_announced(entry);
    }
};

// Removes ids at the front of the queue that are not ready: a replay completes tasks without starting them.
std::deque<TaskId>& tidy(State& state, Lane lane) {
    auto& queue = state.ready[static_cast<std::size_t>(lane)];
    auto is_ready = [&](TaskId id) {
        const Task* task = state.find(id);
        return task && task->status == Status::ready;
    };
    while (!queue.empty() && !is_ready(queue.front()))
        queue.pop_front();
    return queue;
}

}  // namespace

base::Result<void> apply(const config::WorkflowConfig& config, State& state, const Entry& entry) {
    return std::visit(Applier{config, state}, entry);
}

void delay(const config::WorkflowConfig& config, State& state, TaskId id) {
    Task& task = state.tasks.at(id);
    auto& queue = queue_of(config, state, task);
    // searched from the back, because it has just become ready
    queue.erase(std::find(queue.rbegin(), queue.rend(), id).base() - 1);
    task.status = Status::delayed;
}

void make_due(const config::WorkflowConfig& config, State& state, TaskId id) {
    put_at_the_back(config, state, id, state.tasks.at(id));
}

std::optional<TaskId> take_ready(const config::WorkflowConfig& config, State& state, bool local_allowed,
                                 std::uint64_t before) {
    if (config.max_concurrency && state.running >= *config.max_concurrency) return std::nullopt;
    auto* queue = &tidy(state, Lane::pool);
    auto& local = tidy(state, Lane::local);
    auto turn = [&](const std::deque<TaskId>& of) { return state.tasks.at(of.front()).turn; };
    if (local_allowed && !local.empty() && (queue->empty() || turn(local) < turn(*queue))) queue = &local;
    if (queue->empty() || turn(*queue) >= before) return std::nullopt;
    TaskId id = queue->front();
    queue->pop_front();
    state.tasks.at(id).status = Status::running;
    ++state.running;
    return id;
}

}  // namespace workflow
