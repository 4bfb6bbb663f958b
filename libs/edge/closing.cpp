#include "edge/submitter_side_impl.hpp"

#include <algorithm>

namespace edge::submitter_side {

namespace {

bool may_be_withdrawn(const Entry& last) {
    return last.kind != EntryKind::outcome && last.kind != EntryKind::withdrawn;
}

}  // namespace

void Transition::operator()(const Withdrawn& event) {
    Submission* task = find(event.task);
    if (task == nullptr) return;
    task->is_wanted_again = task->stops = false;
    if (is_open(task->phase)) {
        const bool may_be_joined = !s_.is_connected && task->store;  // meanwhile
        if (task->is_shared || may_be_joined) return leave(event.task, *task);
        if (task->phase == Phase::publishing && s_.is_connected) return leave_when_published(*task);
        withdraw(event.task, *task, false);
    }
    if (task->phase == Phase::answered) close(event.task, *task);
}

void Transition::operator()(const Consumed& event) {
    Submission* task = find(event.task);
    if (task != nullptr && task->phase == Phase::answered) close(event.task, *task);
}

void Transition::operator()(const Stopping&) {
    s_.is_stopping = true;
    std::vector<TaskId> open;
    for (const auto& [id, task] : s_.submissions)
        if (is_open(task.phase)) open.push_back(id);
    for (const TaskId& id : open)
        withdraw(id, s_.submissions.at(id), true);
}

void Transition::withdraw(const TaskId& id, Submission& task, bool stops) {
    task.stops = stops;
    bool is_over = task.record.last && !may_be_withdrawn(*task.record.last);
    if (!is_over) return write(id, task, Phase::withdrawing);
    task.phase = Phase::withdrawing;
    look_up(id, task);
}

// The record is known again.
void Transition::withdraw_on(const TaskId& id, Submission& task) {
    const std::optional<Entry>& last = task.record.last;
    if (!last || may_be_withdrawn(*last)) return write(id, task, Phase::withdrawing);
    if (last->kind == EntryKind::withdrawn) return withdrawal_is_written(id, task);
    if (std::exchange(task.is_wanted_again, false) || task.stops) return answer(id, task, last->outcome);
    close(id, task);
}

void Transition::withdrawal_is_written(const TaskId& id, Submission& task) {
    const std::optional<Entry>& last = task.record.last;
    if (last && last->owner) actions_.emplace_back(Notify{id, last->owner->edge});
    task.owner.reset();  // its claim is not to be restored
    if (std::exchange(task.is_wanted_again, false)) {
        task.phase = Phase::waiting;
        return look_up(id, task);
    }
    if (task.stops) return answer(id, task, Outcome::stopped);
    close(id, task);
}

// A publication whose result was lost may still arrive within a lease.
void Transition::close(const TaskId& id, Submission& task) {
    task.phase = Phase::removing;
    task.request = {};
    actions_.emplace_back(NoteClosed{id});
    if (now_ >= task.published + times().lease)
        remove(id, task);
    else
        set_due(id, task, task.published + times().lease);
}

void Transition::remove(const TaskId& id, Submission& task) {
    if (!s_.is_connected) return set_due(id, task, {});
    actions_.emplace_back(Remove{new_request(id, task), id, task.queue});
}

// Purges only the version that is known: a purge that comes late must not remove the record of a task that
// was submitted again.
void Transition::purge(const TaskId& id, Submission& task) {
    if (!s_.is_connected) return set_due(id, task, {});
    task.phase = Phase::purging;
    if (task.record.version == 0) return look_up(id, task);
    actions_.emplace_back(Purge{new_request(id, task), id, task.record.version});
}

// Without a result, the request is repeated at its due time.
void Transition::operator()(const Removed& event) {
    Submission* task = awaiting(event.task, event.request);
    if (task == nullptr || !event.is_done) return;
    task->request = {};
    if (task->phase == Phase::requeueing) {
        const std::optional<Entry>& last = task->record.last;
        if (last && last->kind == EntryKind::withdrawn) return write(event.task, *task, Phase::reopening);
        return publish(event.task, *task, true);
    }
    if (task->phase == Phase::purging) return purged(event.task, *task);
    task->phase = Phase::kept;
    set_due(event.task, *task, now_ + 3 * times().lease);
}

void Transition::purged(const TaskId& id, Submission& task) {
    if (!task.is_wanted_again) return forget(id, task);
    set_due(id, task, {});
    Submission fresh{};
    fresh.number = ++s_.last_number;
    fresh.queue = task.wanted_queue.value_or(task.queue);
    fresh.interval = times().first_look;
    task = std::move(fresh);
    note(id, task);
    publish(id, task);
}

void Transition::forget(const TaskId& id, Submission& task) {
    set_due(id, task, {});
    TaskId name = id;  // `id` may be the key
    s_.submissions.erase(name);
    actions_.emplace_back(Forget{std::move(name)});
}

}  // namespace edge::submitter_side
