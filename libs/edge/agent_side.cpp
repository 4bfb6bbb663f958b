#include "edge/agent_side.hpp"

#include "edge/agent_side_impl.hpp"

#include <algorithm>

namespace edge::agent_side {

Task* Transition::find(const TaskId& id) {
    auto found = s_.tasks.find(id);
    return found == s_.tasks.end() ? nullptr : &found->second;
}

Task* Transition::awaiting(const TaskId& id, RequestId request) {
    Task* task = find(id);
    return task != nullptr && task->request == request ? task : nullptr;
}

bool Transition::is_mine(const Task& task, const Record& record, EntryKind kind) const {
    return record.last && record.last->kind == kind && record.last->author == author(task);
}

void Transition::set_due(const TaskId& id, Task& task, std::optional<Time> due) {
    s_.schedule.set(id, task.due, due);
}

RequestId Transition::new_request(const TaskId& id, Task& task) {
    task.request = RequestId{++s_.last_request};
    task.sent = now_;
    if (task.phase != Phase::working) set_due(id, task, now_ + times().request);
    return task.request;
}

Entry Transition::entry(const Task& task) const {
    Author me = author(task);
    switch (task.phase) {
        case Phase::declaring:
            return {EntryKind::outcome, me, {}, {}, Outcome::agent_lost};
        case Phase::answering:
            return {EntryKind::outcome, me, {}, {}, task.outcome};
        case Phase::releasing:
            return {EntryKind::released, me, {}, task.setbacks};
        default:
            return {EntryKind::claimed, me, me};
    }
}

void Transition::write(const TaskId& id, Task& task) {
    if (!s_.is_connected) return;
    RequestId request = new_request(id, task);
    actions_.emplace_back(Write{request, id, *task.version, entry(task)});
}

void Transition::look_up(const TaskId& id, Task& task, bool with_delivery) {
    if (!s_.is_connected) return;
    LookUp look{new_request(id, task), id};
    if (with_delivery) look.delivery = task.delivery;
    actions_.emplace_back(std::move(look));
}

// The engine did not answer: at its due time, the task is looked at again.
void Transition::look_again(const TaskId& id, Task& task) {
    task.request = {};
    if (task.phase != Phase::working) set_due(id, task, now_ + times().request);
}

void Transition::forget(const TaskId& id) {
    Task& task = s_.tasks.at(id);
    unreserve(task);
    set_due(id, task, {});
    TaskId name = id;  // `id` may be the key
    s_.tasks.erase(name);
    actions_.emplace_back(Forget{std::move(name)});
}

void Transition::forget_all(std::initializer_list<Phase> phases) {
    std::vector<TaskId> found;
    for (const auto& [id, task] : s_.tasks)
        if (std::ranges::find(phases, task.phase) != phases.end()) found.push_back(id);
    for (const TaskId& id : found)
        forget(id);
}

void Transition::settle(const TaskId& id, bool again) {
    actions_.emplace_back(Settle{id, s_.tasks.at(id).delivery, again});
    forget(id);
}

// A claim that was written but never assigned is released: how old its delivery is, nobody knows any more.
void Transition::operator()(const Recovered& event) {
    Task task{};
    task.phase = event.stage == Stage::unassigned ? Phase::claiming
                 : event.stage == Stage::assigned ? Phase::working
                                                  : Phase::answering;
    task.queue = event.queue;
    task.timeout = event.timeout;
    task.setbacks = event.setbacks;
    task.delivery = event.delivery;
    task.nonce = event.nonce;
    task.outcome = event.outcome;
    task.claimable_until = now_;
    s_.tasks.try_emplace(event.task, std::move(task));
}

// A delivery by a store that was lost may be of a task that was done since: its record is lost as well.
void Transition::operator()(const Connected& event) {
    s_.is_connected = true;
    if (s_.store && s_.store != event.store) change_store(event.store);
    s_.store = event.store;
    for (auto& [id, task] : s_.tasks) {
        if (task.phase == Phase::working)
            extend(id, task);
        else if (task.phase != Phase::ending)
            look_up(id, task);
    }
}

// A store that comes back, a disk that was not there for a while say, delivers what was done meanwhile. The
// ends of tasks are remembered for as long.
void Transition::change_store(StoreId store) {
    forget_all({Phase::claiming});
    if (s_.other_stores.contains(store)) s_.doubtful_until = now_ + 5 * times().lease / 2;
    s_.other_stores.insert(*s_.store);
}

// Work goes on. What was only about to be claimed or declared is left to a later delivery.
void Transition::operator()(const Disconnected&) {
    s_.is_connected = false;
    for (auto pull = s_.pulls.begin(); pull != s_.pulls.end();)
        drop_pull(pull++);
    s_.ended_pulls.clear();
    for (auto& [queue, state] : s_.queues)
        state.is_empty = false;
    for (auto& [id, task] : s_.tasks) {
        task.request = {};
        set_due(id, task, {});
    }
    forget_all({Phase::asking, Phase::searching, Phase::declaring});
}

void Transition::operator()(const Asked& event) {
    Task* task = find(event.task);
    bool has_it = task != nullptr && task->nonce == event.nonce && has(*task);
    if (has_it && event.delivery) delivered_again(*task, *event.delivery);
    actions_.emplace_back(Reply{event.question, has_it});
}

void Transition::operator()(const Draining&) {
    s_.is_draining = true;
}

void Transition::operator()(const TimePassed&) {
    while (auto id = s_.schedule.due(now_)) {
        Task& task = s_.tasks.at(*id);
        set_due(*id, task, {});
        handle_due(*id, task);
    }
    Duration longest = times().pull + times().request;
    while (!s_.pulls.empty() && s_.pulls.begin()->second.sent + longest <= now_)
        drop_pull(s_.pulls.begin());
}

void Transition::handle_due(const TaskId& id, Task& task) {
    if (task.phase == Phase::working) return extend(id, task);
    if (task.phase == Phase::searching) return search_further(id, task);
    if (task.phase != Phase::asking) return look_up(id, task);
    if (now_ >= task.patient_until)
        declare_lost(id, task);
    else
        ask(id, task);
}

std::vector<Action> apply(State& state, const Event& event, Time now) {
    Transition transition(state, now);
    std::visit(transition, event);
    transition.plan_pulls();
    return transition.take_actions();
}

std::optional<Time> next_deadline(const State& state) {
    std::optional<Time> next = state.schedule.next();
    if (state.pulls.empty()) return next;
    const Times& times = state.config.times;
    Time pull = state.pulls.begin()->second.sent + times.pull + times.request;
    return next ? std::min(*next, pull) : pull;
}

bool is_drained(const State& state) {
    return state.is_draining && state.tasks.empty();
}

}  // namespace edge::agent_side
