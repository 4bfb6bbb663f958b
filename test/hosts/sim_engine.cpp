#include "sim_engine.hpp"

#include <algorithm>
#include <string>

namespace hosts {

using edge::agent_side::Delivered;
using edge::agent_side::PullEnded;

bool SimEngine::publish(const edge::submitter_side::Publish& request, std::optional<Duration> timeout) {
    auto [position, is_new] = messages_.try_emplace(
        request.task, Message{request.queue, timeout, ++last_message_, request.is_repeated});
    dispatch();
    return is_new;
}

edge::Written SimEngine::write(const edge::Write& request) {
    Record& record = records_[request.task];
    if (record.version != request.expected)
        return {request.task, request.request, edge::WriteResult::refused};
    if (record.last && record.last->kind == edge::EntryKind::outcome)
        oracle_.violated(request.task, "an outcome was overwritten");
    record = {++last_version_, request.entry};
    if (request.entry.kind == edge::EntryKind::outcome) oracle_.outcome_written(request.task);
    if (request.entry.kind == edge::EntryKind::withdrawn) {
        withdrawn_.insert(request.task);
        oracle_.withdrawal_written(request.task, std::stoul(request.entry.author.edge.text().substr(1)));
        if (request.entry.owner) oracle_.claim_withdrawn(request.task, *request.entry.owner);
    }
    written_[request.task] = agenda_.now();
    notify(request.task, record);
    return {request.task, request.request, edge::WriteResult::written, record.version};
}

edge::Found SimEngine::look_up(const edge::LookUp& request) const {
    edge::Found found;
    auto record = records_.find(request.task);
    if (record != records_.end()) found.record = record->second;
    found.is_queued = request.with_queue && messages_.contains(request.task);
    if (request.delivery) found.is_current = holds(request.task, *request.delivery);
    found.is_passed_over = found.is_queued && is_passed_over(request.task);
    return found;
}

bool SimEngine::is_passed_over(const TaskId& task) const {
    const Queue& queue = messages_.at(task).queue;
    return std::ranges::any_of(pulls_, [&](const Waiting& pull) { return pull.queue == queue; });
}

std::vector<TaskId> SimEngine::queued() const {
    std::vector<TaskId> tasks;
    for (const auto& [task, message] : messages_)
        tasks.push_back(task);
    return tasks;
}

bool SimEngine::is_claimed(const TaskId& task) const {
    auto record = records_.find(task);
    if (record == records_.end() || !record->second.last) return false;
    return record->second.last->kind == edge::EntryKind::claimed;
}

std::optional<Time> SimEngine::decided(const TaskId& task, const edge::Author& claim) const {
    auto record = records_.find(task);
    if (record == records_.end() || !record->second.last) return {};
    const edge::Entry& last = *record->second.last;
    if (last.kind != edge::EntryKind::outcome || last.author == claim) return {};
    return written_.at(task);
}

void SimEngine::pull(Puller puller, const edge::agent_side::Pull& request) {
    pulls_.push_back({puller, request.pull, request.queue, request.count});
    dispatch();
    auto is_it = [=, id = request.pull](const Waiting& w) { return w.puller == puller && w.pull == id; };
    auto expire = [this, is_it] {
        auto found = std::ranges::find_if(pulls_, is_it);
        if (found != pulls_.end()) end(found);
    };
    if (request.waits)
        agenda_.in(edge::Times{}.pull, expire);
    else
        expire();
}

void SimEngine::end(std::vector<Waiting>::iterator pull) {
    Waiting ended = *pull;
    pulls_.erase(pull);
    deliver(ended.puller, PullEnded{ended.pull});
}

void SimEngine::end_pull(Puller puller, PullId pull) {
    std::erase_if(pulls_, [&](const Waiting& w) { return w.puller == puller && w.pull == pull; });
}

void SimEngine::drop(Puller puller) {
    std::erase_if(pulls_, [&](const Waiting& w) { return w.puller == puller; });
}

void SimEngine::dispatch() {
    for (auto& [task, message] : messages_)
        if (!message.is_leased && !message.is_forgotten) dispatch(task, message);
}

// To any of the pulls that wait for it.
void SimEngine::dispatch(const TaskId& task, Message& message) {
    if (pulls_.empty()) return;
    std::size_t first = random_.below(pulls_.size());
    for (std::size_t offset = 0; offset < pulls_.size(); ++offset) {
        auto pull = pulls_.begin() + static_cast<std::ptrdiff_t>((first + offset) % pulls_.size());
        if (pull->queue != message.queue) continue;
        hold(task, message, lease);
        Delivery delivery(std::to_string(message.number) + "." + std::to_string(message.lease));
        bool is_repeated = std::exchange(message.is_repeated, true);
        deliver(pull->puller,
                Delivered{pull->pull, task, delivery, message.queue, message.timeout, is_repeated});
        if (--pull->left == 0) end(pull);
        return;
    }
}

// Leases the message, or leases it anew.
void SimEngine::hold(const TaskId& task, Message& message, Duration span) {
    message.is_leased = true;
    message.lease = ++last_lease_;
    if (random_.one_in(200)) span = std::chrono::milliseconds(random_.below(30000));
    agenda_.in(span, [this, task, held = message.lease] {
        auto found = messages_.find(task);
        if (found == messages_.end() || found->second.lease != held) return;
        found->second.is_leased = false;
        dispatch();
    });
}

bool SimEngine::holds(const TaskId& task, const Delivery& delivery) const {
    auto found = messages_.find(task);
    return found != messages_.end() && found->second.number == std::stoull(delivery.text());
}

SimEngine::Message* SimEngine::find(const TaskId& task, const Delivery& delivery) {
    return holds(task, delivery) ? &messages_.at(task) : nullptr;
}

void SimEngine::extend(const TaskId& task, const Delivery& delivery) {
    Message* message = find(task, delivery);
    if (message != nullptr && message->is_leased) hold(task, *message, lease);
}

void SimEngine::settle(const edge::Settle& request) {
    Message* message = find(request.task, request.delivery);
    if (message == nullptr) return;
    if (request.again) {
        message->is_leased = false;
        message->lease = ++last_lease_;
        return dispatch();
    }
    check_settled(request.task);
    settled_[request.task] = *message;
    messages_.erase(request.task);
}

// What leaves the queue for good must have an end in its record. A withdrawn task may have been reopened
// since.
void SimEngine::check_settled(const TaskId& task) {
    if (store_ > 1 || withdrawn_.contains(task) || lost_.contains(task)) return;
    if (oracle_.may_be_unknown(task)) return;
    const std::optional<edge::Entry>& last = records_[task].last;
    if (!last || last->kind != edge::EntryKind::outcome) oracle_.violated(task, "settled without an outcome");
}

void SimEngine::remove(const TaskId& task) {
    messages_.erase(task);
    settled_.erase(task);
}

void SimEngine::purge(const TaskId& task, Version version) {
    auto record = records_.find(task);
    if (record != records_.end() && record->second.version == version) records_.erase(record);
}

// Forgets leases, and brings settled tasks back.
void SimEngine::restart(bool forgets) {
    pulls_.clear();
    for (auto& [task, message] : settled_)
        if (random_.one_in(2) && messages_.try_emplace(task, message).second) returned_.insert(task);
    settled_.clear();
    for (auto& [task, message] : messages_) {
        if (forgets && random_.one_in(3)) message.is_forgotten = true;
        if (random_.one_in(2)) message.is_leased = false;
        if (message.is_leased) hold(task, message, lease);
    }
}

std::optional<TaskId> SimEngine::any_record() {
    if (records_.empty()) return {};
    return std::next(records_.begin(), random_.below(records_.size()))->first;
}

bool SimEngine::lose_record(const TaskId& task) {
    if (records_.erase(task) == 0) return false;
    lost_.insert(task);
    return true;
}

void SimEngine::wipe() {
    oracle_.wiped();
    ++store_;
    pulls_.clear();
    messages_.clear();
    settled_.clear();
    records_.clear();
    last_version_ += 1000;
    last_message_ += 1000;
}

}  // namespace hosts
