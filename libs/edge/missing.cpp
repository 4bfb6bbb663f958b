#include "edge/submitter_side_impl.hpp"

#include <algorithm>

namespace edge::submitter_side {

// Whoever gets the task next must find its owner in the record, and ask it. One that nobody here knows of
// finds within a lease that its claim is gone, if it lives and is connected, and claims again. When the whole
// store was lost, all tasks are missing, and nobody is asked about each. One that was answered and is
// submitted again may be done again before it is missed.
void Transition::judge_without_entry(const TaskId& id, Submission& task, const Found& found) {
    if (task.was_ended && !std::exchange(task.was_lost, true)) note(id, task);
    if (task.owner) return write(id, task, Phase::restoring);
    if (found.is_queued) return wait_in_queue_without_entry(id, task, found.is_passed_over);
    if (!task.is_awaited) return wait_on(id, task);
    if (!task.was_known) return publish(id, task);
    task.phase = Phase::waiting;
    if (!is_missing_for_long(id, task)) return;
    if (task.was_wiped) return publish_lost(id, task, false);
    search(id, task);
}

// The engine may have lost the task's outcome, and that its delivery was settled. The edge that has written
// the outcome remembers the end for two and a half leases: it is asked before.
void Transition::wait_in_queue_without_entry(const TaskId& id, Submission& task, bool is_passed_over) {
    const auto since = passed_over_since(task, is_passed_over);
    if (since && now_ >= *since + times().lease) return search(id, task);
    wait_on(id, task);
    if (since) set_due(id, task, std::min(*task.due, *since + times().lease));
}

bool Transition::is_missing_for_long(const TaskId& id, Submission& task) {
    if (!task.missing) task.missing = now_;
    if (now_ >= *task.missing + times().lease) return true;
    set_due(id, task, *task.missing + times().lease);
    return false;
}

void Transition::search(const TaskId& id, Submission& task) {
    task.phase = Phase::searching;
    begin_search(id, task, times().ask);
}

void Transition::begin_search(const TaskId& id, Submission& task, Duration interval) {
    task.request = RequestId{++s_.last_request};
    task.search = SearchState(now_, times(), interval);
    ask_all(id, task);
}

void Transition::ask_all(const TaskId& id, Submission& task) {
    set_due(id, task, task.search.due(times()));
    actions_.emplace_back(Search{task.request, id, task.phase == Phase::leaving});
}

// An edge that has the task writes the record again. That the submitter of another host has had an answer is
// of no use here.
void Transition::operator()(const Searched& event) {
    Submission* task = awaiting(event.task, event.request);
    if (task == nullptr) return;
    if (task->phase == Phase::leaving && event.trace == Trace::held) return left(event.task, *task);
    if (task->phase != Phase::searching) return;
    if (event.trace == Trace::ended) task->search.found(event.trace);
    if (event.trace != Trace::held) return;
    task->request = {};
    task->missing.reset();
    task->passed_over.reset();
    wait_on(event.task, *task);
}

void Transition::search_further(const TaskId& id, Submission& task) {
    auto next = task.search.next(now_, times());
    if (next == SearchState::Next::ask) return ask_all(id, task);
    const bool is_leaving = task.phase == Phase::leaving;
    if (next == SearchState::Next::anew) return is_leaving ? leave(id, task) : search(id, task);
    if (is_leaving) return withdraw(id, task, false);
    if (task.search.found() == Trace::ended) return write(id, task, Phase::declaring);
    if (!task.passed_over) return publish_lost(id, task, true);
    note_lost(id, task);
    requeue(id, task, true);
}

void Transition::publish_lost(const TaskId& id, Submission& task, bool is_repeated) {
    note_lost(id, task);
    publish(id, task, is_repeated);
}

void Transition::note_lost(const TaskId& id, Submission& task) {
    task.was_lost = true;
    note(id, task);
    ++s_.statistics.published_again;
}

Trace Transition::trace_of(const Submission& task) const {
    if (is_open(task.phase)) {
        if (task.owner) return Trace::held;
        return task.is_awaited ? Trace::awaited : Trace::none;
    }
    bool is_undecided =
        task.phase == Phase::leaving || task.phase == Phase::withdrawing || task.is_wanted_again;
    return is_undecided ? Trace::none : Trace::over;
}

// An owner that only this edge knows is written to the record at once.
void Transition::operator()(const Sought& event) {
    Submission* task = find(event.task);
    if (event.for_submitters) {
        actions_.emplace_back(TraceReply{event.question, is_waited_for(task) ? Trace::held : Trace::none});
        return;
    }
    Trace trace = task == nullptr ? Trace::none : trace_of(*task);
    actions_.emplace_back(TraceReply{event.question, trace});
    if (trace == Trace::held && task->phase == Phase::waiting) look_up(event.task, *task);
}

}  // namespace edge::submitter_side
