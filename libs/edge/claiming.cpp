#include "edge/agent_side_impl.hpp"

namespace edge::agent_side {

// The time until which the delivery may lead to an entry. It may have waited in a buffer while this process
// was suspended or cut off. When it is older than its pull can explain, the task may have been done, and its
// record purged.
Time Transition::usable_until(const Delivered& event) const {
    auto pull = s_.pulls.find(event.pull);
    auto ended = s_.ended_pulls.find(event.pull);
    if (pull == s_.pulls.end() && ended == s_.ended_pulls.end()) return {};
    Time sent = pull == s_.pulls.end() ? ended->second : pull->second.sent;
    return sent + times().pull + times().lease;
}

// Returns whether the pull still waits for tasks.
bool Transition::take_from_pull(PullId id) {
    auto pull = s_.pulls.find(id);
    if (pull == s_.pulls.end()) return false;
    QueueState& queue = s_.queues[pull->second.queue];
    --queue.outstanding;
    if (queue.outstanding == 0) queue.is_empty = false;
    if (--pull->second.left == 0) drop_pull(pull);
    return true;
}

// Without an agent, a task is handed back. If it was never delivered before, its record is to say that nobody
// has had it: whoever gets it next would search for it.
void Transition::operator()(const Delivered& event) {
    const Time until = usable_until(event);
    const bool is_usable = now_ < until;
    const bool is_pulled = take_from_pull(event.pull);
    if (Task* known = find(event.task)) return delivered_again(*known, event.delivery);
    Task task{};
    task.queue = event.queue;
    if (is_usable && is_pulled && !s_.is_draining) reserve(task);
    const bool is_repeated = event.is_repeated || now_ < s_.doubtful_until;
    const bool is_surplus = !task.is_reserved;
    if (is_surplus) ++s_.statistics.surplus;
    if (is_surplus && (!is_usable || is_repeated)) {
        actions_.emplace_back(Settle{event.task, event.delivery, true});
        return;
    }
    task.timeout = event.timeout;
    task.delivery = event.delivery;
    task.nonce = {s_.config.start, ++s_.last_nonce};
    task.claimable_until = until;
    task.is_repeated = is_repeated;
    task.version = 0;
    Task& added = s_.tasks.emplace(event.task, std::move(task)).first->second;
    if (is_surplus) return release(event.task, added);
    actions_.emplace_back(
        Note{event.task, added.queue, added.timeout, added.delivery, added.nonce, added.setbacks});
    if (added.is_repeated)
        look_up(event.task, added);
    else
        write(event.task, added);
}

// A task that is about to be claimed may have been published anew, with other contents: it is claimed with
// those that are known, or not at all.
void Transition::delivered_again(Task& task, const Delivery& delivery) {
    const bool is_claimed = task.phase != Phase::claiming && has(task);
    if (is_claimed) task.delivery = delivery;
}

void Transition::operator()(const Written& event) {
    Task* task = awaiting(event.task, event.request);
    if (task == nullptr) return;
    // An engine that does not store anything at the moment says so at once: it is spared for a while.
    bool is_refused_early = event.result == WriteResult::unknown && now_ < task->sent + times().request;
    if (is_refused_early) return look_again(event.task, *task);
    if (event.result != WriteResult::written) return look_up(event.task, *task);
    task->version = event.version;
    confirmed(event.task, *task);
}

// What was to be written is in the record.
void Transition::confirmed(const TaskId& id, Task& task) {
    task.request = {};
    switch (task.phase) {
        case Phase::claiming:
            return assign(id, task);
        case Phase::declaring:
            ++s_.statistics.owners_lost;
            note_ended(id);
            return settle(id, false);
        case Phase::answering:
            note_ended(id);
            return settle(id, false);
        case Phase::releasing:
            ++s_.statistics.released;
            return settle(id, true);
        default:
            return;  // the claim was renewed
    }
}

void Transition::operator()(const LookedUp& event) {
    Task* task = awaiting(event.task, event.request);
    if (task == nullptr) return;
    if (!event.found) {
        if (event.is_unreadable) unreserve(*task);  // an agent must not wait for that
        return look_again(event.task, *task);
    }
    task->request = {};
    const Record& record = event.found->record;
    task->version = record.version;
    switch (task->phase) {
        case Phase::working:
            return check_claim(event.task, *task, record);
        case Phase::answering:
            return check_outcome(event.task, *task, record);
        case Phase::releasing:
            return check_release(event.task, *task, record);
        default:
            return judge(event.task, *task, *event.found);
    }
}

// A delivery meets a record.
void Transition::judge(const TaskId& id, Task& task, const Found& found) {
    const Record& record = found.record;
    if (is_mine(task, record, EntryKind::claimed)) return assign(id, task);
    if (!record.last && task.is_repeated) return begin_search(id, task);
    if (!record.last) return claim_current(id, task, found);
    task.was_unknown = false;
    const Entry& last = *record.last;
    switch (last.kind) {
        case EntryKind::released:
            task.setbacks = last.setbacks;
            return claim(id, task, record.version);
        case EntryKind::reopened:
            return judge_reopened(id, task, found);
        case EntryKind::claimed:
            return begin_asking(id, task, record);
        case EntryKind::withdrawn:
        case EntryKind::outcome:
            return settle(id, false);
    }
}

// An owner that was asked and has not got the task any more is not asked again; one that said nothing is. If
// the owner is this delivery, its claim was withdrawn, and the queue does not hold its message any more.
void Transition::judge_reopened(const TaskId& id, Task& task, const Found& found) {
    const std::optional<Author>& owner = found.record.last->owner;
    const bool has_replied = owner == task.owner && task.phase != Phase::declaring;
    const bool is_free = !owner || has_replied || owner == author(task);
    if (!is_free) return begin_asking(id, task, found.record);
    claim_current(id, task, found);
}

// The task may have been withdrawn and published anew, with other contents, since this delivery: another edge
// may have that.
void Transition::claim_current(const TaskId& id, Task& task, const Found& found) {
    if (!found.is_current) return look_up(id, task, true);
    if (!*found.is_current) return settle(id, true);
    claim(id, task, found.record.version);
}

void Transition::claim(const TaskId& id, Task& task, Version version) {
    bool is_too_late = now_ >= task.claimable_until || s_.is_draining;
    if (!has_reserved_agents()) unreserve(task);
    if (!is_too_late) reserve(task);
    if (is_too_late || !task.is_reserved) {
        ++s_.statistics.surplus;
        return settle(id, true);
    }
    task.phase = Phase::claiming;
    task.version = version;
    write(id, task);
}

void Transition::begin_asking(const TaskId& id, Task& task, const Record& record) {
    ++s_.statistics.redelivered;
    unreserve(task);
    task.phase = Phase::asking;
    task.owner = record.last->owner;
    task.was_reopened = record.last->kind == EntryKind::reopened;
    task.patient_until = now_ + times().ask_patience;
    // A claim of this edge that it does not know any more: there is nobody to ask.
    if (task.owner->edge == s_.config.self) return owner_has_not(id, task);
    ask(id, task);
}

void Transition::ask(const TaskId& id, Task& task) {
    task.request = RequestId{++s_.last_request};
    set_due(id, task, now_ + times().ask);
    actions_.emplace_back(Ask{task.request, id, *task.owner, task.delivery});
}

// An owner that does not answer may be about to connect again: it is asked until patience ends.
void Transition::operator()(const OwnerReplied& event) {
    Task* task = awaiting(event.task, event.request);
    if (task == nullptr || event.reply == OwnerReply::silent) return;
    if (event.reply == OwnerReply::has) return forget(event.task);
    owner_has_not(event.task, *task);
}

void Transition::owner_has_not(const TaskId& id, Task& task) {
    if (!task.was_reopened) return declare_lost(id, task);
    task.phase = Phase::claiming;
    look_up(id, task, true);
}

void Transition::declare_lost(const TaskId& id, Task& task) {
    task.phase = Phase::declaring;
    write(id, task);
}

void Transition::assign(const TaskId& id, Task& task) {
    task.phase = Phase::claiming;
    // The engine's answer was long in coming: others may have waited for this edge in vain.
    if (now_ >= task.sent + times().lease / 3) return look_up(id, task);
    if (now_ >= task.claimable_until || s_.is_draining || !task.is_reserved) return release(id, task);
    ++s_.statistics.claimed;
    unreserve(task);
    ++s_.unreflected[task.queue.labels];
    task.phase = Phase::working;
    set_due(id, task, now_ + times().lease / 3);
    actions_.emplace_back(Assign{id, task.queue, task.timeout, task.setbacks, task.was_unknown});
}

}  // namespace edge::agent_side
