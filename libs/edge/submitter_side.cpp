#include "edge/submitter_side.hpp"

#include "edge/submitter_side_impl.hpp"

#include <algorithm>

namespace edge::submitter_side {

Submission* Transition::find(const TaskId& id) {
    auto found = s_.submissions.find(id);
    return found == s_.submissions.end() ? nullptr : &found->second;
}

Submission* Transition::awaiting(const TaskId& id, RequestId request) {
    Submission* task = find(id);
    return task != nullptr && task->request == request ? task : nullptr;
}

void Transition::set_due(const TaskId& id, Submission& task, std::optional<Time> due) {
    s_.schedule.set(id, task.due, due);
}

RequestId Transition::new_request(const TaskId& id, Submission& task) {
    task.request = RequestId{++s_.last_request};
    set_due(id, task, now_ + times().request);
    return task.request;
}

void Transition::look_later(const TaskId& id, Submission& task) {
    set_due(id, task, now_ + task.interval);
    task.interval = std::min(2 * task.interval, times().lease);
}

void Transition::operator()(const Recovered& event) {
    Submission task{};
    task.number = ++s_.last_number;
    task.phase = event.is_closed ? Phase::removing : Phase::waiting;
    task.queue = event.queue;
    task.store = event.store;
    task.was_lost = event.was_lost;
    task.interval = times().first_look;
    task.published = now_;  // perhaps a moment ago
    task.is_shared = true;  // perhaps meanwhile
    task.was_known = event.store.has_value();
    task.is_awaited = false;
    s_.submissions.try_emplace(event.task, std::move(task));
}

void Transition::operator()(const Connected& event) {
    s_.is_connected = true;
    s_.store = event.store;
    for (const TaskId& id : in_order()) {
        Submission& task = s_.submissions.at(id);
        task.is_shared |= task.store.has_value();  // a notice of Join may have been missed
        if (task.store && task.store != event.store) store_was_lost(id, task);
        resume(id, task);
    }
}

// A queue keeps the order in which tasks are published.
std::vector<TaskId> Transition::in_order() const {
    std::vector<std::pair<std::uint64_t, TaskId>> numbered;
    for (const auto& [id, task] : s_.submissions)
        numbered.emplace_back(task.number, id);
    std::ranges::sort(numbered, {}, [](const auto& one) { return one.first; });
    std::vector<TaskId> ids;
    for (auto& [number, id] : numbered)
        ids.push_back(std::move(id));
    return ids;
}

// Agents may be at work that only the lost records knew of.
void Transition::store_was_lost(const TaskId& id, Submission& task) {
    task.sole_owner = task.was_lost ? std::nullopt : task.owner;
    task.store = s_.store;
    task.was_known = task.was_lost = task.was_wiped = true;
    if (task.phase < Phase::removing) note(id, task);  // not over NoteClosed
}

// What the loss of the connection has interrupted.
void Transition::resume(const TaskId& id, Submission& task) {
    switch (task.phase) {
        case Phase::publishing:
            // The submission came while there was no connection.
            return task.store ? look_up(id, task) : publish(id, task);
        case Phase::answered:
            return;
        case Phase::removing:
            return set_due(id, task, std::max(now_, task.published + times().lease));
        case Phase::kept:
        case Phase::purging:
            if (!task.due) purge(id, task);
            return;
        case Phase::leaving:
            return leave(id, task);
        case Phase::asking:
        case Phase::searching:
            task.phase = Phase::waiting;
            return look_up(id, task);
        default:
            return look_up(id, task);
    }
}

void Transition::operator()(const Disconnected&) {
    s_.is_connected = false;
    for (auto& [id, task] : s_.submissions) {
        task.request = {};
        if (task.phase != Phase::kept) set_due(id, task, {});
    }
}

void Transition::operator()(const Submitted& event) {
    if (s_.is_stopping) return refuse(event.task);
    auto [position, is_new] = s_.submissions.try_emplace(event.task);
    Submission& task = position->second;
    if (!is_new) return submitted_again(event.task, task, event.queue);
    task.number = ++s_.last_number;
    task.queue = event.queue;
    task.interval = times().first_look;
    if (s_.is_connected) task.store = s_.store;
    note(event.task, task);
    publish(event.task, task);
}

// The pool stops. What is being withdrawn for that reason is answered when that is done.
void Transition::refuse(const TaskId& id) {
    const Submission* task = find(id);
    if (task != nullptr && task->phase == Phase::withdrawing && task->stops) return;
    actions_.emplace_back(Answer{id, Outcome::stopped});
}

void Transition::note(const TaskId& id, const Submission& task) {
    actions_.emplace_back(Note{id, task.queue, task.store, task.was_lost});
}

void Transition::submitted_again(const TaskId& id, Submission& task, const Queue& queue) {
    bool was_awaited = std::exchange(task.is_awaited, true);
    if (!is_open(task.phase) || (!was_awaited && queue != task.queue)) task.wanted_queue = queue;
    if (is_open(task.phase)) {
        if (!was_awaited) look_up(id, task);
        return;
    }
    if (task.phase == Phase::leaving || task.phase == Phase::withdrawing || task.phase == Phase::purging) {
        task.is_wanted_again = true;
        return;
    }
    note(id, task);
    share(id, task);  // it is published only if nobody else has done that meanwhile
    task.phase = Phase::waiting;
    task.interval = times().first_look;
    look_up(id, task);
}

// The task has the same id each time: a queue that holds it already keeps one of it. No other queue holds it.
void Transition::publish(const TaskId& id, Submission& task, bool is_repeated) {
    task.phase = Phase::publishing;
    if (!s_.is_connected) return set_due(id, task, {});
    if (!task.store || task.wanted_queue) {
        task.store = s_.store;
        task.queue = std::exchange(task.wanted_queue, std::nullopt).value_or(task.queue);
        note(id, task);
    }
    task.published = now_;
    task.missing.reset();
    ++s_.statistics.published;
    actions_.emplace_back(Publish{new_request(id, task), id, task.queue, is_repeated});
}

void Transition::look_up(const TaskId& id, Submission& task) {
    if (!s_.is_connected) return set_due(id, task, {});
    actions_.emplace_back(LookUp{new_request(id, task), id, true});
}

void Transition::write(const TaskId& id, Submission& task, Phase phase) {
    task.phase = phase;
    if (!s_.is_connected) return set_due(id, task, {});
    Entry entry{EntryKind::withdrawn, {s_.config.self, {s_.config.start, 0}}};
    if (phase == Phase::declaring) {
        entry.kind = EntryKind::outcome;
        entry.outcome = Outcome::agent_lost;
    } else if (phase == Phase::restoring) {
        entry = {EntryKind::claimed, *task.owner, task.owner};
    } else {
        if (phase == Phase::reopening) entry.kind = EntryKind::reopened;
        // If the engine has lost the record, the owner of the claim in it may still be at work.
        entry.owner = task.record.last ? task.record.last->owner : task.owner;
    }
    actions_.emplace_back(Write{new_request(id, task), id, task.record.version, entry});
}

void Transition::answer(const TaskId& id, Submission& task, Outcome outcome) {
    task.phase = Phase::answered;
    task.was_ended |= outcome != Outcome::stopped;
    task.request = {};
    set_due(id, task, {});
    actions_.emplace_back(Answer{id, outcome, task.was_lost});
}

void Transition::operator()(const TimePassed&) {
    while (auto id = s_.schedule.due(now_)) {
        Submission& task = s_.submissions.at(*id);
        set_due(*id, task, {});
        if (task.phase == Phase::asking)
            ask(*id, task);
        else if (task.phase == Phase::searching || task.phase == Phase::leaving)
            search_further(*id, task);
        else if (task.phase == Phase::removing)
            remove(*id, task);
        else if (task.phase == Phase::kept || task.phase == Phase::purging)
            purge(*id, task);
        else
            look_up(*id, task);
    }
}

std::vector<Action> apply(State& state, const Event& event, Time now) {
    Transition transition(state, now);
    std::visit(transition, event);
    return transition.take_actions();
}

std::optional<Time> next_deadline(const State& state) {
    return state.schedule.next();
}

}  // namespace edge::submitter_side
