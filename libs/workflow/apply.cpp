#include "base/text.hpp"
#include "workflow/bounds.hpp"
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
    return task.status == Status::ready || task.status == Status::running || task.status == Status::asked;
}

void put_at_the_back(State& state, TaskId id, Task& task) {
    task.status = Status::ready;
    task.turn = state.next_turn++;
    state.ready.add(id, task);
}

void end_attempt(State& state, TaskId id, const Task& task) {
    --state.running;
    state.ready.release(id, task);
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
        if (asks_person(config, task))
            ask(id, task);
        else
            put_at_the_back(state, id, task);
        state.next_id = std::max(state.next_id, id.value + 1);
    }

    // The task waits for nothing but the answer, and keeps nothing from being started.
    void ask(TaskId id, Task& task) {
        task.status = Status::asked;
        task.turn = state.next_turn++;
        state.asked.insert(id);
    }

    // Continues the task under another id: a retry or a `finally` takes the place of its task.
    Task& rename(TaskId from, TaskId to) {
        auto node = state.tasks.extract(from);
        node.key() = to;
        return state.tasks.insert(std::move(node)).position->second;
    }

    std::uint32_t next_number() {
        if (state.submitted < UINT32_MAX) ++state.submitted;
        return state.submitted;
    }

    void announce(TaskId id, TaskId parent, std::uint32_t depth, std::optional<TaskId> awaited_by) {
        Task child;
        child.parent = parent;
        child.depth = depth;
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

    // The tasks whose `finally` waits for one that has run have run as well.
    void note_run(Task& task) {
        for (Task* at = &task; !at->has_run; at = &state.tasks.at(*at->awaited_by)) {
            at->has_run = true;
            if (!at->awaited_by) return;
        }
    }

    void leave_lifecycle(Task& task, const TaskCompleted& entry) {
        if (task.status == Status::running) end_attempt(state, entry.task, task);
        if (task.status == Status::asked) state.asked.erase(entry.task);
        if (!entry.reused) note_run(task);
    }

    // Continues what the retry of the failed task is told.
    void note_failure(const Task& task, TaskId id, const Failed& outcome) {
        auto before = state.previous_attempts.extract(id);
        if (!outcome.retry || !config.step(task.step).options.retry_feedback) return;
        const Failure& failure = outcome.failure();
        state.previous_attempts.insert_or_assign(
            *outcome.retry, with_attempt(before ? before.mapped() : nullptr,
                                         {task.attempt, failure.message, failure.response}));
    }

    void end_without_children(TaskId id, Task& task, bool has_finally) {
        if (has_finally)
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
        std::uint32_t depth = std::max(task.depth, task.depth + 1);  // stops at the largest
        for (TaskId child : children)
            announce(child, id, depth, awaited_by);
        if (!waits) remove(id);
    }

    base::Result<void> complete(const TaskCompleted& entry, Task& task, const Succeeded& outcome) {
        std::uint64_t least = state.next_id;
        for (TaskId child : outcome.spawned) {
            if (child.value < least || state.tasks.contains(child))
                return contradiction(child, "is announced as new, but its id has been used before");
            least = child.value + 1;
        }
        leave_lifecycle(task, entry);
        if (!state.previous_attempts.empty()) state.previous_attempts.erase(entry.task);
        ++(task.finally_for ? counters(task).finally_done : counters(task).done);
        if (outcome.spawned.empty())
            end_without_children(entry.task, task, has_finally(config, task));
        else
            spawn(entry.task, task, outcome.spawned);
        return {};
    }

    base::Result<void> complete(const TaskCompleted& entry, Task& task, const Failed& outcome) {
        if (outcome.retry && (outcome.retry->value < state.next_id || state.tasks.contains(*outcome.retry)))
            return contradiction(*outcome.retry, "is announced as a retry, but its id has been used before");
        leave_lifecycle(task, entry);
        note_failure(task, entry.task, outcome);
        if (outcome.retry) {
            ++(task.finally_for ? counters(task).finally_retried : counters(task).retried);
            ++task.attempt;
            task.status = Status::announced;
            rename(entry.task, *outcome.retry);
        } else {
            ++(task.finally_for ? counters(task).finally_dropped : counters(task).dropped);
            if (auto bound = bound_of(outcome.failure()))
                ++counters(task).past_bound[static_cast<std::size_t>(*bound)];
            end_without_children(entry.task, task, has_finally_after(config, task, outcome.failure()));
        }
        return {};
    }

    base::Result<void> operator()(const TaskCompleted& entry) {
        auto found = state.tasks.find(entry.task);
        if (found == state.tasks.end() || !is_live(found->second))
            return contradiction(entry.task, "is completed, but was not to be done");
        return std::visit([&](const auto& outcome) { return complete(entry, found->second, outcome); },
                          entry.outcome);
    }

    base::Result<void> submit_initial(const TaskSubmitted& entry) {
        if (entry.parent)
            return contradiction(entry.task, "is one that the run began with, but has a parent");
        if (entry.task.value < state.next_id) return contradiction(entry.task, "is submitted twice");
        Task& task = state.tasks[entry.task];
        task.number = next_number();
        make_ready(entry.task, task, entry);
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
        if (retry) return {};
        found->second.number = next_number();
        ++counters(found->second).submitted;
        return {};
    }

    base::Result<void> operator()(const TaskSubmitted& entry) {
        if (std::holds_alternative<Initial>(entry.origin)) return submit_initial(entry);
        if (auto* finally = std::get_if<Finally>(&entry.origin))
            return submit_finally(entry, finally->finally_for);
        return submit_announced(entry);
    }
};

}  // namespace

base::Result<void> apply(const config::WorkflowConfig& config, State& state, const Entry& entry) {
    return std::visit(Applier{config, state}, entry);
}

void delay(State& state, TaskId id) {
    Task& task = state.tasks.at(id);
    state.ready.remove(id, task, state.tasks);
    task.status = Status::delayed;
}

void make_due(State& state, TaskId id) {
    put_at_the_back(state, id, state.tasks.at(id));
}

std::optional<TaskId> take_ready(const config::WorkflowConfig& config, State& state, bool local_allowed,
                                 std::uint64_t before) {
    if (config.max_concurrency && state.running >= *config.max_concurrency) return std::nullopt;
    auto id = state.ready.take(config, state.tasks, local_allowed, before);
    if (!id) return std::nullopt;
    state.tasks.at(*id).status = Status::running;
    ++state.running;
    return id;
}

void put_back(State& state, TaskId id) {
    Task& task = state.tasks.at(id);
    --state.running;
    task.status = Status::ready;
    state.ready.put_back(id, task);
}

}  // namespace workflow
