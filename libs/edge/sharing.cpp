// Submitters of several edges wait for one task: it is withdrawn only when the last of them does not any
// more.
#include "edge/submitter_side_impl.hpp"

namespace edge::submitter_side {

void Transition::operator()(const Joined& event) {
    if (Submission* task = find(event.task)) task->is_shared = true;
}

// Another edge may have submitted the task as well: all are told, once.
void Transition::share(const TaskId& id, Submission& task) {
    if (!std::exchange(task.is_shared, true)) actions_.emplace_back(Join{id});
}

// Somebody may cancel thousands of tasks at once: at the beginning and at the end of the search is enough.
void Transition::leave(const TaskId& id, Submission& task) {
    task.phase = Phase::leaving;
    task.request = {};
    if (!s_.is_connected) return set_due(id, task, {});
    begin_search(id, task, times().search);
}

// What the queue says to the publication tells whether another edge has the task as well.
void Transition::leave_when_published(Submission& task) {
    task.phase = Phase::leaving;
    task.search = {};  // without a word from the queue, all edges are asked
}

void Transition::published_while_leaving(const TaskId& id, Submission& task, PublishResult result) {
    task.was_known |= result == PublishResult::queued || result == PublishResult::held;
    const bool is_alone = result == PublishResult::queued || result == PublishResult::refused;
    if (is_alone && !task.is_shared) return withdraw(id, task, false);
    leave(id, task);
}

// Another edge looks after the task from now on. Who has submitted it again here meanwhile joins it.
void Transition::left(const TaskId& id, Submission& task) {
    if (!std::exchange(task.is_wanted_again, false)) return forget(id, task);
    task.wanted_queue.reset();
    task.phase = Phase::waiting;
    look_up(id, task);
}

// Two that leave at the same time do not wait for each other: both withdraw the task. A submitter that has
// not come back to this process yet may: if it does not, the task is withdrawn here.
bool Transition::is_waited_for(const Submission* task) {
    return task != nullptr && is_open(task->phase);
}

}  // namespace edge::submitter_side
