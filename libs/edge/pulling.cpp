#include "edge/agent_side_impl.hpp"

#include <algorithm>

namespace edge::agent_side {

namespace {

using Groups = std::vector<IdleAgents>;

// Agents become idle one by one, and each pull that waits costs the engine and this host something all the
// time. With a few there is always one that brings the next tasks; when it has, the next one is for all
// agents that are idle by then.
constexpr std::size_t most_waiting_pulls = 2;  // of a queue

std::size_t count_fitting(const Groups& groups, const base::Labels& labels) {
    std::size_t count = 0;
    for (const IdleAgents& group : groups)
        if (group.labels.fit(labels)) count += group.count;
    return count;
}

// Takes up to `count` agents that fit, those with the fewest labels first: the others fit more tasks. Returns
// how many.
std::size_t take(Groups& groups, const base::Labels& labels, std::size_t count) {
    std::size_t taken = 0;
    while (taken < count) {
        IdleAgents* best = nullptr;
        for (IdleAgents& group : groups) {
            if (group.count == 0 || !group.labels.fit(labels)) continue;
            if (best == nullptr || group.labels.texts().size() < best->labels.texts().size()) best = &group;
        }
        if (best == nullptr) break;
        std::size_t part = std::min(count - taken, best->count);
        best->count -= part;
        taken += part;
    }
    return taken;
}

void decrement(std::map<base::Labels, std::size_t>& counts, const base::Labels& labels) {
    auto found = counts.find(labels);
    if (--found->second == 0) counts.erase(found);
}

}  // namespace

// The idle agents without those that are about to get a task.
Transition::Groups Transition::free_agents() const {
    Groups free = s_.idle;
    for (const auto* counts : {&s_.reserved, &s_.unreflected})
        for (const auto& [labels, count] : *counts)
            take(free, labels, count);
    return free;
}

// Sets an idle agent aside, if there is one that fits.
void Transition::reserve(Task& task) {
    if (task.is_reserved || count_fitting(free_agents(), task.queue.labels) == 0) return;
    task.is_reserved = true;
    ++s_.reserved[task.queue.labels];
}

void Transition::unreserve(Task& task) {
    if (!task.is_reserved) return;
    task.is_reserved = false;
    decrement(s_.reserved, task.queue.labels);
}

// Whether there are as many idle agents as were set aside: the pool may have given some to tasks that others
// have handed back.
bool Transition::has_reserved_agents() const {
    Groups idle = s_.idle;
    return std::ranges::all_of(s_.reserved, [&](const auto& one) {
        const auto& [labels, count] = one;
        return take(idle, labels, count) == count;
    });
}

void Transition::operator()(const Idle& event) {
    s_.idle = event.agents;
    s_.unreflected.clear();
}

void Transition::operator()(const Queues& event) {
    std::map<Queue, QueueState, QueueOrder> queues;
    for (const Queue& queue : event.queues)
        queues[queue] = s_.queues[queue];
    for (auto& [queue, state] : s_.queues)
        if (!queues.contains(queue)) end_pulls(&queue);
    s_.queues = std::move(queues);
}

void Transition::operator()(const PullEnded& event) {
    auto pull = s_.pulls.find(event.pull);
    if (pull == s_.pulls.end()) return;
    s_.queues[pull->second.queue].is_empty = true;
    drop_pull(pull);
}

void Transition::drop_pull(std::map<PullId, PullState>::iterator pull) {
    QueueState& queue = s_.queues[pull->second.queue];
    queue.outstanding -= pull->second.left;
    --queue.pulls;
    s_.pulls.erase(pull);
}

void Transition::pull(const Queue& queue, QueueState& state, std::size_t count, bool waits) {
    PullId id{++s_.last_pull};
    s_.pulls.emplace(id, PullState{queue, count, waits, now_});
    state.outstanding += count;
    ++state.pulls;
    actions_.emplace_back(Pull{id, queue, count, waits});
}

// Ends the pulls of one queue, or all. They may still bring what was under way.
void Transition::end_pulls(const Queue* queue) {
    auto is_old = [&](Time sent) { return now_ >= sent + times().pull + times().lease; };
    while (!s_.ended_pulls.empty() && is_old(s_.ended_pulls.begin()->second))
        s_.ended_pulls.erase(s_.ended_pulls.begin());
    for (auto next = s_.pulls.begin(); next != s_.pulls.end();) {
        auto pull = next++;
        if (queue != nullptr && pull->second.queue != *queue) continue;
        s_.ended_pulls.emplace(pull->first, pull->second.sent);
        actions_.emplace_back(EndPull{pull->first});
        drop_pull(pull);
    }
}

// Nothing is pulled for agents that are not idle, and nothing is known of queues that are not pulled.
void Transition::end_unfit(const Groups& free) {
    for (auto& [queue, state] : s_.queues) {
        if (count_fitting(free, queue.labels) > 0) continue;
        if (state.outstanding > 0) end_pulls(&queue);
        state.is_empty = false;
    }
}

// Asks the queues of one priority for what they hold at the moment: all of them together for as many tasks as
// there are agents. Queues that are known to be empty are waited for. Returns whether all are.
bool Transition::pull_level(std::span<QueueEntry* const> level, const Groups& free, Groups& budget,
                            bool is_lowest) {
    std::vector<QueueEntry*> open;
    for (QueueEntry* entry : level) {
        auto& [queue, state] = *entry;
        std::size_t fitting = count_fitting(free, queue.labels);
        if (fitting > 0 && !state.is_empty) open.push_back(entry);
        if (state.is_empty && fitting > state.outstanding && state.pulls < most_waiting_pulls)
            pull(queue, state, fitting - state.outstanding, true);
    }
    if (open.empty()) return true;
    // There is nothing that should be asked first.
    bool waits = is_lowest && open.size() == 1;
    std::ranges::rotate(open, open.begin() + static_cast<std::ptrdiff_t>(s_.turn % open.size()));
    for (QueueEntry* entry : open) {
        if (entry->second.outstanding > 0) continue;
        std::size_t count = take(budget, entry->first.labels, count_fitting(budget, entry->first.labels));
        if (count == 0) continue;
        ++s_.turn;
        entry->second.is_empty = waits;
        pull(entry->first, entry->second, count, waits);
    }
    return waits;
}

// Higher priorities first: a lower one is pulled when the higher ones are known to be empty.
void Transition::plan_pulls() {
    if (!s_.is_connected || s_.is_draining) return end_pulls(nullptr);
    Groups free = free_agents();
    end_unfit(free);
    Groups budget = free;
    std::vector<QueueEntry*> entries;
    for (QueueEntry& entry : s_.queues) {
        entries.push_back(&entry);
        if (!entry.second.is_empty) take(budget, entry.first.labels, entry.second.outstanding);
    }
    for (auto begin = entries.begin(); begin != entries.end();) {
        auto end = std::find_if(begin, entries.end(), [&](const QueueEntry* entry) {
            return entry->first.priority != (*begin)->first.priority;
        });
        if (!pull_level({begin, end}, free, budget, end == entries.end())) return;
        begin = end;
    }
}

}  // namespace edge::agent_side
