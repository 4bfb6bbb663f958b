#include "workflow/ready_set.hpp"

#include "config/serial_key.hpp"
#include "workflow/rules.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace workflow {

namespace {

const Task* ready_task(const Tasks& tasks, TaskId id) {
    auto found = tasks.find(id);
    return found != tasks.end() && found->second.status == Task::Status::ready ? &found->second : nullptr;
}

// What has the tasks of a step, or its finallys, in one queue with those of others.
auto rank_of(const config::WorkflowConfig& config, config::StepId id, bool is_finally) {
    const config::Step& step = config.step(id);
    bool is_limited = step.options.max_concurrency.has_value();
    return std::tuple(-step.options.priority, lane(step, is_finally),
                      is_limited ? std::optional(id) : std::nullopt);
}

}  // namespace

ReadySet::ReadySet(const config::WorkflowConfig& config) : running_(config.steps.size()) {
    std::map<decltype(rank_of(config, {}, false)), std::size_t> ranks;
    for (std::uint32_t step = 0; step < config.steps.size(); ++step)
        for (bool is_finally : {false, true})
            ranks.emplace(rank_of(config, {step}, is_finally), 0);
    for (auto& [rank, index] : ranks) {
        index = queues_.size();
        Queue& queue = queues_.emplace_back();
        queue.priority = -std::get<0>(rank);
        queue.lane = std::get<1>(rank);
        queue.limited = std::get<2>(rank);
    }
    for (std::uint32_t step = 0; step < config.steps.size(); ++step)
        for (bool is_finally : {false, true})
            of_step_.push_back(ranks.at(rank_of(config, {step}, is_finally)));
    for (std::uint32_t step = 0; step < config.steps.size(); ++step)
        if (config.steps[step].options.serial_key)
            for (std::size_t kind : {0U, 1U})
                queues_[of_step_[2 * std::size_t{step} + kind]].has_keys = true;
}

std::size_t ReadySet::index_of(const Task& task) const {
    return of_step_[2 * std::size_t{task.step.value} + (task.finally_for ? 1 : 0)];
}

void ReadySet::add(TaskId id, const Task& task) {
    queue_of(task).tasks.push_back(id);
}

// The task is searched for from the back, because it has just become ready.
void ReadySet::remove(TaskId id, const Task& task, const Tasks& tasks) {
    auto& queue = queue_of(task).tasks;
    auto is_earlier = [&](TaskId other) {
        const Task* ready = ready_task(tasks, other);
        return other == id || (ready && ready->turn < task.turn);
    };
    auto found = std::find_if(queue.rbegin(), queue.rend(), is_earlier);
    if (found != queue.rend() && *found == id) queue.erase(found.base() - 1);
}

std::optional<TaskId> ReadySet::take(const config::WorkflowConfig& config, const Tasks& tasks,
                                     bool local_allowed, std::uint64_t before) {
    std::optional<std::size_t> best;
    Turn best_turn = before;
    for (std::size_t index = 0; index < queues_.size(); ++index) {
        if (best && queues_[index].priority < queues_[*best].priority) break;
        if (!may_start(config, queues_[index], local_allowed)) continue;
        auto turn = first_turn(config, index, tasks, best_turn);
        if (!turn) continue;
        best = index;
        best_turn = *turn;
    }
    if (!best) return std::nullopt;
    if (auto limited = queues_[*best].limited) ++running_[limited->value];
    return take_first(*best, best_turn);
}

bool ReadySet::may_start(const config::WorkflowConfig& config, const Queue& queue, bool local_allowed) const {
    if (queue.lane == Lane::local && !local_allowed) return false;
    return !queue.limited ||
           running_[queue.limited->value] < *config.step(*queue.limited).options.max_concurrency;
}

// The turn of the queue's first task that may start; empty if there is none before that turn.
std::optional<ReadySet::Turn> ReadySet::first_turn(const config::WorkflowConfig& config, std::size_t index,
                                                   const Tasks& tasks, Turn before) {
    auto put_back = first_put_back(queues_[index], tasks);
    if (put_back && *put_back >= before) put_back.reset();
    if (put_back) before = *put_back;
    auto other = queues_[index].has_keys ? first_turn_with_keys(config, index, tasks, before)
                                         : first_turn_without_keys(index, tasks, before);
    return other ? other : put_back;
}

std::optional<ReadySet::Turn> ReadySet::first_put_back(Queue& queue, const Tasks& tasks) {
    for (auto& all = queue.put_back; !all.empty(); all.erase(all.begin())) {
        auto [turn, id] = *all.begin();
        const Task* task = ready_task(tasks, id);
        if (task && task->turn == turn) return turn;
    }
    return std::nullopt;
}

std::optional<ReadySet::Turn> ReadySet::first_turn_without_keys(std::size_t index, const Tasks& tasks,
                                                                Turn before) {
    for (auto& queue = queues_[index].tasks; !queue.empty(); queue.pop_front())
        if (const Task* task = ready_task(tasks, queue.front()))
            return task->turn < before ? std::optional(task->turn) : std::nullopt;
    return std::nullopt;
}

// What was filed has been ready for longer than what was not.
std::optional<ReadySet::Turn> ReadySet::first_turn_with_keys(const config::WorkflowConfig& config,
                                                             std::size_t index, const Tasks& tasks,
                                                             Turn before) {
    Queue& queue = queues_[index];
    drop_stale(index, tasks);
    while (queue.open.empty() && !queue.tasks.empty()) {
        TaskId id = queue.tasks.front();
        const Task* task = ready_task(tasks, id);
        if (task && task->turn >= before) return std::nullopt;
        auto key = task ? key_of(config, queue, id, *task) : std::nullopt;
        if (task && !key) return task->turn;
        queue.tasks.pop_front();
        if (key) file(index, *key, {id, task->turn});
    }
    if (queue.open.empty() || queue.open.begin()->first >= before) return std::nullopt;
    return queue.open.begin()->first;
}

std::optional<ReadySet::Key> ReadySet::key_of(const config::WorkflowConfig& config, Queue& queue, TaskId id,
                                              const Task& task) const {
    if (queue.keyless == id) return std::nullopt;
    auto key = config::serial_key(config.step(task.step).options, *task.value);
    if (!key) queue.keyless = id;
    return key;
}

void ReadySet::file(std::size_t index, const Key& key, Filed task) {
    KeyState& state = keys_[key];
    auto& filed = state.filed[index];
    filed.push_back(task);
    if (!state.is_held && filed.size() == 1) queues_[index].open.emplace(task.turn, key);
}

// Drops the first of the open tasks of the queue.
void ReadySet::drop_first(std::size_t index) {
    auto& open = queues_[index].open;
    auto [turn, key] = *open.begin();
    open.erase(open.begin());
    KeyState& state = keys_.at(key);
    auto& filed = state.filed.at(index);
    filed.pop_front();
    if (!filed.empty())
        open.emplace(filed.front().turn, key);
    else if (state.filed.erase(index); state.filed.empty())
        keys_.erase(key);
}

// Drops the tasks that are not ready any more, or have become so again, with another turn.
void ReadySet::drop_stale(std::size_t index, const Tasks& tasks) {
    auto& open = queues_[index].open;
    while (!open.empty()) {
        auto [turn, key] = *open.begin();
        const Task* task = ready_task(tasks, keys_.at(key).filed.at(index).front().id);
        if (task && task->turn == turn) return;
        drop_first(index);
    }
}

TaskId ReadySet::take_first(std::size_t index, Turn turn) {
    Queue& queue = queues_[index];
    if (auto put_back = queue.put_back.extract(turn)) return put_back.mapped();
    if (!queue.open.empty()) return hold(index);
    TaskId id = queue.tasks.front();
    queue.tasks.pop_front();
    return id;
}

// The first of the open tasks gets its key; the key's others wait.
TaskId ReadySet::hold(std::size_t index) {
    Key key = queues_[index].open.begin()->second;
    KeyState& state = keys_.at(key);
    for (const auto& [queue, filed] : state.filed)
        queues_[queue].open.erase(filed.front().turn);
    auto& filed = state.filed.at(index);
    TaskId id = filed.front().id;
    filed.pop_front();
    if (filed.empty()) state.filed.erase(index);
    state.is_held = true;
    holders_.emplace(id, key);
    return id;
}

void ReadySet::release(TaskId id, const Task& task) {
    if (auto limited = queue_of(task).limited) --running_[limited->value];
    if (holders_.empty()) return;
    auto holder = holders_.find(id);
    if (holder == holders_.end()) return;
    Key key = holder->second;
    holders_.erase(holder);
    KeyState& state = keys_.at(key);
    state.is_held = false;
    for (const auto& [queue, filed] : state.filed)
        queues_[queue].open.emplace(filed.front().turn, key);
    if (state.filed.empty()) keys_.erase(key);
}

void ReadySet::put_back(TaskId id, const Task& task) {
    if (auto holder = holders_.find(id); holder != holders_.end()) {
        auto& filed = keys_.at(holder->second).filed[index_of(task)];
        auto behind = std::ranges::upper_bound(filed, task.turn, {}, &Filed::turn);
        filed.insert(behind, {id, task.turn});
    } else {
        queue_of(task).put_back.emplace(task.turn, id);
    }
    release(id, task);
}

}  // namespace workflow
