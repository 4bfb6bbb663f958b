// Submitters of several edges wait for one task: it is withdrawn only when the last of them does not any
// more.
#include "edge/submitter_side_impl.hpp"

namespace edge::submitter_side {

void Transition::operator()(const Joined& event) {
    if (Submission* task = find(event.task)) task->is_shared = true;
}

void Transition::leave(const TaskId& id, Submission& task) {
    task.phase = Phase::leaving;
    task.request = {};
    if (!s_.is_connected) return set_due(id, task, {});
    task.request = RequestId{++s_.last_request};
    task.search = SearchState(now_, times());
    ask_submitters(id, task);
}

void Transition::ask_submitters(const TaskId& id, Submission& task) {
    set_due(id, task, task.search.due(times()));
    actions_.emplace_back(Search{task.request, id, true});
}

void Transition::leave_further(const TaskId& id, Submission& task) {
    auto next = task.search.next(now_, times());
    if (next == SearchState::Next::ask) return ask_submitters(id, task);
    if (next == SearchState::Next::anew) return leave(id, task);
    task.is_shared = false;
    withdraw(id, task, false);
}

// Another edge looks after the task from now on. Who has submitted it again here meanwhile joins it.
void Transition::left(const TaskId& id, Submission& task) {
    if (!std::exchange(task.is_wanted_again, false)) return forget(id, task);
    task.wanted_queue.reset();
    task.phase = Phase::waiting;
    look_up(id, task);
}

// Two that leave at the same time do not wait for each other: both withdraw the task.
bool Transition::is_waited_for(const Submission* task) {
    return task != nullptr && is_open(task->phase) && task->is_awaited;
}

}  // namespace edge::submitter_side
