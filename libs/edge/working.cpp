#include "edge/agent_side_impl.hpp"

namespace edge::agent_side {

// The claim is looked at as well: it may have been withdrawn, or the engine may have lost it.
void Transition::extend(const TaskId& id, Task& task) {
    if (!s_.is_connected) return;
    set_due(id, task, now_ + times().lease / 3);
    actions_.emplace_back(Extend{id, task.delivery});
    look_up(id, task);
}

bool Transition::is_still_ours(const Task& task, const Record& record) const {
    return !record.last || is_mine(task, record, EntryKind::claimed);
}

// A task that was withdrawn and reopened is taken from its agent as well, which may be at it in vain: it is
// done anew, as on one host.
void Transition::check_claim(const TaskId& id, Task& task, const Record& record) {
    if (!record.last) return write(id, task);
    if (!is_mine(task, record, EntryKind::claimed)) lose(id, task);
}

void Transition::check_outcome(const TaskId& id, Task& task, const Record& record) {
    if (is_mine(task, record, EntryKind::outcome)) return confirmed(id, task);
    if (is_still_ours(task, record)) return write(id, task);
    ++s_.statistics.late_answers;
    bool is_over = record.last->kind == EntryKind::outcome || record.last->kind == EntryKind::withdrawn;
    settle(id, !is_over);
}

void Transition::check_release(const TaskId& id, Task& task, const Record& record) {
    if (is_mine(task, record, EntryKind::released)) return confirmed(id, task);
    if (record.last && is_still_ours(task, record)) return write(id, task);
    settle(id, true);
}

void Transition::lose(const TaskId& id, Task& task) {
    ++s_.statistics.leases_lost;
    task.phase = Phase::ending;
    task.request = {};
    set_due(id, task, {});
    actions_.emplace_back(Recall{id, true});
}

void Transition::release(const TaskId& id, Task& task) {
    unreserve(task);
    task.phase = Phase::releasing;
    task.request = {};
    set_due(id, task, {});
    if (task.version)
        write(id, task);
    else
        look_up(id, task);
}

void Transition::operator()(const Answered& event) {
    Task* task = find(event.task);
    if (task == nullptr) return;
    if (task->phase == Phase::ending) {
        ++s_.statistics.late_answers;
        return settle(event.task, true);
    }
    if (task->phase != Phase::working) return;
    if (event.outcome == Outcome::stopped) return release(event.task, *task);
    task->phase = Phase::answering;
    task->outcome = event.outcome;
    task->request = {};
    set_due(event.task, *task, {});
    if (task->version)
        write(event.task, *task);
    else
        look_up(event.task, *task);
}

void Transition::operator()(const Unassigned& event) {
    Task* task = find(event.task);
    if (task == nullptr || task->phase != Phase::working) return;
    task->setbacks = event.setbacks;
    actions_.emplace_back(Recall{event.task});
    release(event.task, *task);
}

// Whoever gets the task next finds in its record what is to be done with it.
void Transition::operator()(const Ended& event) {
    Task* task = find(event.task);
    if (task == nullptr) return;
    if (task->phase == Phase::ending) return settle(event.task, true);
    // It was recalled by an earlier process, which this one does not know.
    if (task->phase == Phase::working) release(event.task, *task);
}

void Transition::operator()(const Check& event) {
    Task* task = find(event.task);
    if (task != nullptr && task->phase == Phase::working) look_up(event.task, *task);
}

}  // namespace edge::agent_side
