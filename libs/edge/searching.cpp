#include "edge/agent_side_impl.hpp"

namespace edge::agent_side {

// Whether this edge goes on with the task, as far as it knows.
bool Transition::has(const Task& task) const {
    return task.phase != Phase::asking && task.phase != Phase::searching && task.phase != Phase::declaring;
}

// A claim without a record is safe only for a task that nobody can have had. The agent stays set aside: other
// tasks must not overtake this one again and again.
void Transition::begin_search(const TaskId& id, Task& task) {
    reserve(task);
    task.phase = Phase::searching;
    task.request = RequestId{++s_.last_request};
    task.search = SearchState(now_, times(), times().ask);
    ask_all(id, task);
}

void Transition::ask_all(const TaskId& id, Task& task) {
    set_due(id, task, task.search.due(times()));
    actions_.emplace_back(Extend{id, task.delivery});
    actions_.emplace_back(Search{task.request, id});
}

void Transition::operator()(const Searched& event) {
    Task* task = awaiting(event.task, event.request);
    if (task == nullptr || task->phase != Phase::searching) return;
    if (event.trace == Trace::held) return forget(event.task);
    task->search.found(event.trace);
}

// If nobody knows the task, its record was not lost, or all who knew are out of reach.
void Transition::search_further(const TaskId& id, Task& task) {
    auto next = task.search.next(now_, times());
    if (next == SearchState::Next::ask) return ask_all(id, task);
    if (next == SearchState::Next::anew) return begin_search(id, task);
    task.is_repeated = false;
    Trace found = task.search.found();
    if (found == Trace::over) return settle(id, false);
    if (found == Trace::ended) {
        unreserve(task);
        return declare_lost(id, task);
    }
    task.was_unknown = true;
    task.phase = Phase::claiming;
    look_up(id, task, true);
}

// The owner restores its claim at once, not only when it extends the lease. Of two edges that search, one
// gives way: it must not claim the task when the other has. A search may be cut off and begin anew, so the
// end of a task is remembered anew when somebody asks.
void Transition::operator()(const Sought& event) {
    Task* task = find(event.task);
    Trace trace = Trace::none;
    if (s_.ended.contains(event.task, now_)) {
        trace = Trace::ended;
        note_ended(event.task);
    }
    bool goes_first = task != nullptr && task->phase == Phase::searching && s_.config.self < event.seeker;
    if (task != nullptr && (has(*task) || goes_first)) trace = Trace::held;
    actions_.emplace_back(TraceReply{event.question, trace});
    if (task != nullptr && task->phase == Phase::working) look_up(event.task, *task);
}

// The end is known for a shorter time than the record is kept: after that, the same id may be a new task.
void Transition::note_ended(const TaskId& id) {
    s_.ended.add(id, now_ + 5 * times().lease / 2);
}

}  // namespace edge::agent_side
