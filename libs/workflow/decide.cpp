#include "workflow/backoff.hpp"
#include "workflow/machine.hpp"
#include "workflow/rules.hpp"

#include <algorithm>
#include <utility>

namespace workflow {

namespace {

Value share(std::string text) {
    return std::make_shared<const std::string>(std::move(text));
}

bool retries(const config::StepOptions& options, const Task& task, const Failure& failure) {
    using enum Failure::Kind;
    bool is_final = failure.kind == past_bound || failure.kind == rejected || failure.kind == expired;
    if (failure.is_permanent || is_final) return false;
    if (failure.kind == Failure::Kind::timeout && !options.retry_on_timeout) return false;
    if (failure.kind == Failure::Kind::invalid_response && !options.retry_on_invalid_response) return false;
    return task.attempt <= options.max_retries;
}

// The task whose `finally` is due when `id`, which may have one itself, ends without descendants of its own.
std::optional<TaskId> finally_due_after(const State& state, TaskId id, bool has_finally) {
    const Task& task = state.tasks.at(id);
    if (has_finally) return id;
    if (task.awaited_by && state.tasks.at(*task.awaited_by).live == 1) return task.awaited_by;
    return std::nullopt;
}

TaskSubmitted finally_of(const State& state, TaskId owner, std::uint64_t next_id) {
    const Task& task = state.tasks.at(owner);
    return {{next_id}, task.step, task.value, task.parent, Finally{owner}};
}

void append_finally(Group& group, const State& state, TaskId ended, bool has_finally, std::uint64_t next_id) {
    auto due = finally_due_after(state, ended, has_finally);
    if (due) group.push_back(finally_of(state, *due, next_id));
}

Value value_of(config::NewTask&& task) {
    return share(std::move(task.value));
}

Value value_of(SharedTask&& task) {
    return std::move(task.value);
}

template<class Next>
Group succeed(const config::WorkflowConfig& config, const State& state, TaskId id, std::vector<Next> next) {
    std::uint64_t next_id = state.next_id;
    Group group;
    group.reserve(next.size() + 2);
    Succeeded outcome;
    for (std::size_t i = 0; i < next.size(); ++i)
        outcome.spawned.push_back({next_id + i});
    group.push_back(TaskCompleted{id, std::move(outcome)});
    for (auto& child : next)
        group.push_back(TaskSubmitted{{next_id++}, child.step, value_of(std::move(child)), id, Spawned{}});
    if (next.empty()) append_finally(group, state, id, has_finally(config, state.tasks.at(id)), next_id);
    return group;
}

Group fail(const config::WorkflowConfig& config, const State& state, TaskId id, Failure failure) {
    const Task& task = state.tasks.at(id);
    const config::StepOptions& options = config.step(task.step).options;
    TaskId next{state.next_id};
    Group group;
    bool is_retried = retries(options, task, failure);
    if (!is_retried || !options.retry_feedback) failure.response.reset();
    if (is_retried) {
        group.push_back(TaskCompleted{id, Failed{std::move(failure), next}});
        group.push_back(TaskSubmitted{next, task.step, task.value, task.parent, Retry{id}});
    } else {
        bool has_finally = has_finally_after(config, task, failure);
        group.push_back(TaskCompleted{id, Failed{std::move(failure), std::nullopt}});
        append_finally(group, state, id, has_finally, next.value);
    }
    return group;
}

}  // namespace

Group decide_initial(const State& state, std::vector<config::NewTask> tasks) {
    std::uint64_t next_id = state.next_id;
    Group group;
    group.reserve(tasks.size());
    for (auto& task : tasks)
        group.push_back(
            TaskSubmitted{{next_id++}, task.step, share(std::move(task.value)), std::nullopt, Initial{}});
    return group;
}

Group decide(const config::WorkflowConfig& config, const State& state, TaskId task, AttemptResult result,
             std::optional<pool_protocol::AgentReport> report, bool is_lenient) {
    auto* next = std::get_if<std::vector<config::NewTask>>(&result);
    Group group = next ? succeed(config, state, task, std::move(*next))
                       : fail(config, state, task, std::get<Failure>(std::move(result)));
    auto& completed = std::get<TaskCompleted>(group.front());
    if (report) completed.report = std::make_shared<const pool_protocol::AgentReport>(std::move(*report));
    completed.is_lenient = is_lenient;
    return group;
}

Group decide_reused(const config::WorkflowConfig& config, const State& state, TaskId task,
                    EarlierResult result) {
    Group group = succeed(config, state, task, std::move(result.next));
    std::get<TaskCompleted>(group.front()).reused =
        std::make_shared<const ReusedFrom>(std::move(result.from));
    return group;
}

Group decide_answered(const config::WorkflowConfig& config, const State& state, TaskId task,
                      AttemptResult result, AnsweredBy by) {
    Group group = decide(config, state, task, std::move(result));
    std::get<TaskCompleted>(group.front()).answered = std::make_shared<const AnsweredBy>(std::move(by));
    return group;
}

std::vector<Group> decide_due(const State& state) {
    std::vector<TaskId> due;
    for (const auto& [id, task] : state.tasks)
        if (task.status == Task::Status::finally_due) due.push_back(id);
    std::ranges::sort(due);  // sorted, so that the same history gives the same ids
    std::vector<Group> groups;
    for (TaskId owner : due)
        groups.push_back({finally_of(state, owner, state.next_id + groups.size())});
    return groups;
}

std::optional<std::chrono::milliseconds> retry_delay(const config::WorkflowConfig& config, const State& state,
                                                     TaskId id) {
    const Task& task = state.tasks.at(id);
    const auto& backoff = config.step(task.step).options.retry_backoff;
    if (!backoff || task.attempt < 2) return std::nullopt;
    return backoff_delay(*backoff, task.attempt - 1);
}

}  // namespace workflow
