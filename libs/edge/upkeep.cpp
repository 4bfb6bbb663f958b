#include "edge/submitter_side_impl.hpp"

namespace edge::submitter_side {

void Transition::operator()(const Published& event) {
    Submission* task = awaiting(event.task, event.request);
    if (task == nullptr) return;
    if (task->phase == Phase::leaving) return published_while_leaving(event.task, *task, event.result);
    if (task->phase != Phase::publishing) return;
    task->request = {};
    if (event.result == PublishResult::refused) return answer(event.task, *task, Outcome::invalid);
    if (event.result == PublishResult::unknown) return unknown(event.task, *task);
    task->phase = Phase::waiting;
    task->was_known = true;
    look_later(event.task, *task);
    if (event.result == PublishResult::held) share(event.task, *task);
}

// An engine that does not store anything at the moment says so at once: it is spared for a while.
void Transition::unknown(const TaskId& id, Submission& task) {
    bool is_refused_early = task.due && now_ < *task.due;  // that of the request
    task.request = {};
    if (is_refused_early)
        look_later(id, task);
    else
        look_up(id, task);
}

void Transition::learn(const TaskId& id, Submission& task, const Record& record) {
    task.record = record;
    if (!record.last) return;
    task.was_known = true;
    std::optional<Author> owner;
    if (record.last->kind == EntryKind::claimed) owner = record.last->owner;
    if (owner && owner != task.owner) task.heard = now_;
    task.owner = owner;
    if (!task.sole_owner || record.last->author != *task.sole_owner) return;
    task.sole_owner.reset();
    task.was_lost = false;
    note(id, task);
}

// Notices come in any order. An outcome is the end in any case; of the rest, only news count, and nothing
// over which is being written.
void Transition::operator()(const Noticed& event) {
    Submission* task = find(event.task);
    if (task == nullptr || !event.record.last) return;
    const bool is_going = task->phase == Phase::leaving || task->phase == Phase::withdrawing;
    if (!is_going && !is_open(task->phase)) return;
    const bool is_outcome = event.record.last->kind == EntryKind::outcome;
    const bool is_news = event.record.version > task->record.version && task->phase != Phase::withdrawing;
    if (!is_outcome && !is_news) return;
    learn(event.task, *task, event.record);
    if (is_outcome)
        return is_going ? withdraw_on(event.task, *task)
                        : answer(event.task, *task, event.record.last->outcome);
    if (is_going) return;
    bool was_found = task->phase == Phase::searching;
    if (was_found) task->phase = Phase::waiting;
    if (was_found || event.record.last->kind == EntryKind::withdrawn) look_up(event.task, *task);
}

void Transition::operator()(const Written& event) {
    Submission* task = awaiting(event.task, event.request);
    if (task == nullptr) return;
    if (event.result == WriteResult::unknown) return unknown(event.task, *task);
    if (event.result == WriteResult::refused) return look_up(event.task, *task);
    task->request = {};
    task->record.version = event.version;
    if (task->phase == Phase::reopening) return reopened(event.task, *task);
    if (task->phase == Phase::restoring) return look_up(event.task, *task);
    if (task->phase == Phase::withdrawing) return withdrawal_is_written(event.task, *task);
    ++s_.statistics.owners_lost;
    answer(event.task, *task, Outcome::agent_lost);
}

// The queue does not tell that another edge has the task, too: it was withdrawn.
void Transition::reopened(const TaskId& id, Submission& task) {
    share(id, task);
    publish(id, task, true);
}

void Transition::operator()(const LookedUp& event) {
    Submission* task = awaiting(event.task, event.request);
    if (task == nullptr) return;
    task->request = {};
    if (!event.found) return look_later(event.task, *task);
    learn(event.task, *task, event.found->record);
    if (task->phase == Phase::leaving)
        return leave(event.task, *task);  // the result of its publication was lost
    if (task->phase == Phase::withdrawing) return withdraw_on(event.task, *task);
    if (task->phase == Phase::purging)
        return task->record.last ? purge(event.task, *task) : purged(event.task, *task);
    judge(event.task, *task, *event.found);
}

void Transition::judge(const TaskId& id, Submission& task, const Found& found) {
    const bool is_queued = found.is_queued;
    if (is_queued) {
        task.missing.reset();
        task.was_known = true;
    }
    if (!task.record.last) return judge_without_entry(id, task, found);
    switch (task.record.last->kind) {
        case EntryKind::outcome:
            return answer(id, task, task.record.last->outcome);
        case EntryKind::withdrawn:
            if (!task.is_awaited) return wait_on(id, task);
            return is_queued ? requeue(id, task, false) : write(id, task, Phase::reopening);
        case EntryKind::claimed:
            return judge_claimed(id, task, is_queued);
        case EntryKind::released:
        case EntryKind::reopened:
            if (!is_queued && task.is_awaited) return publish(id, task, true);
            return wait_in_queue(id, task, found.is_passed_over);
    }
}

void Transition::wait_on(const TaskId& id, Submission& task) {
    task.phase = Phase::waiting;
    look_later(id, task);
}

// Nobody has claimed the task. Within two leases, an edge that has got it claims it, or it is delivered
// again. If neither happens although pulls wait, the engine has forgotten to deliver it, as clusters do whose
// servers are killed.
void Transition::wait_in_queue(const TaskId& id, Submission& task, bool is_passed_over) {
    const auto since = passed_over_since(task, is_passed_over);
    if (!since || now_ < *since + 2 * times().lease) return wait_on(id, task);
    ++s_.statistics.published_again;
    requeue(id, task, true);
}

// Empty: pulls do not wait for it in vain, or nobody waits for the task.
std::optional<Time> Transition::passed_over_since(Submission& task, bool is_passed_over) const {
    if (!is_passed_over) task.passed_over.reset();
    if (is_passed_over && !task.passed_over) task.passed_over = now_;
    return task.is_awaited ? task.passed_over : std::nullopt;
}

void Transition::requeue(const TaskId& id, Submission& task, bool is_undelivered) {
    task.passed_over.reset();
    task.phase = Phase::requeueing;
    if (!s_.is_connected) return set_due(id, task, {});
    actions_.emplace_back(Remove{new_request(id, task), id, task.queue, is_undelivered});
}

// An owner's death is noticed by an edge with an idle agent, which gets the task. There may be none.
void Transition::judge_claimed(const TaskId& id, Submission& task, bool is_queued) {
    task.phase = Phase::waiting;
    if (now_ >= task.heard + times().watchdog) {
        task.phase = Phase::asking;
        task.patient_until = now_ + times().ask_patience;
        return ask(id, task);
    }
    if (is_queued || !task.is_awaited) return look_later(id, task);
    if (is_missing_for_long(id, task)) publish(id, task, true);
}

void Transition::ask(const TaskId& id, Submission& task) {
    if (now_ >= task.patient_until) return write(id, task, Phase::declaring);
    task.request = RequestId{++s_.last_request};
    set_due(id, task, now_ + times().ask);
    actions_.emplace_back(Ask{task.request, id, *task.owner});
}

void Transition::operator()(const OwnerReplied& event) {
    Submission* task = awaiting(event.task, event.request);
    if (task == nullptr || event.reply == OwnerReply::silent) return;
    if (event.reply == OwnerReply::has_not) return write(event.task, *task, Phase::declaring);
    task->heard = now_;
    task->phase = Phase::waiting;
    task->request = {};
    look_later(event.task, *task);
}

}  // namespace edge::submitter_side
