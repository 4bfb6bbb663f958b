// The implementation of agent_side::apply(): agent_side.cpp handles the pool, questions and time,
// claiming.cpp deliveries until they are claimed, searching.cpp those whose record may be lost, working.cpp
// what follows, pulling.cpp the pulls. Private to this library.
#pragma once

#include "edge/agent_side.hpp"

#include <initializer_list>
#include <span>
#include <utility>

namespace edge::agent_side {

// One call of apply(): the state, the time, and the actions so far.
class Transition {
  public:
    Transition(State& state, Time now) : s_(state), now_(now) {}

    void operator()(const Recovered& event);
    void operator()(const Connected& event);
    void operator()(const Disconnected&);
    void operator()(const Idle& event);
    void operator()(const Queues& event);
    void operator()(const Delivered& event);
    void operator()(const PullEnded& event);
    void operator()(const Written& event);
    void operator()(const LookedUp& event);
    void operator()(const OwnerReplied& event);
    void operator()(const Asked& event);
    void operator()(const Searched& event);
    void operator()(const Sought& event);
    void operator()(const Answered& event);
    void operator()(const Unassigned& event);
    void operator()(const Ended& event);
    void operator()(const Check& event);
    void operator()(const Draining&);
    void operator()(const TimePassed&);

    void plan_pulls();
    std::vector<Action> take_actions() { return std::move(actions_); }

  private:
    const Times& times() const { return s_.config.times; }
    Task* find(const TaskId& id);
    // The task of the outstanding request; the result of any other comes too late.
    Task* awaiting(const TaskId& id, RequestId request);
    Author author(const Task& task) const { return {s_.config.self, task.nonce}; }
    bool is_mine(const Task& task, const Record& record, EntryKind kind) const;
    void set_due(const TaskId& id, Task& task, std::optional<Time> due);
    RequestId new_request(const TaskId& id, Task& task);

    void write(const TaskId& id, Task& task);
    Entry entry(const Task& task) const;
    void look_up(const TaskId& id, Task& task, bool with_delivery = false);
    void look_again(const TaskId& id, Task& task);
    void confirmed(const TaskId& id, Task& task);
    void forget(const TaskId& id);
    void forget_all(std::initializer_list<Phase> phases);
    void settle(const TaskId& id, bool again);
    void handle_due(const TaskId& id, Task& task);

    // Claiming.
    Time usable_until(const Delivered& event) const;
    bool take_from_pull(PullId id);
    void delivered_again(Task& task, const Delivery& delivery);
    void judge(const TaskId& id, Task& task, const Found& found);
    void judge_reopened(const TaskId& id, Task& task, const Found& found);
    void claim_current(const TaskId& id, Task& task, const Found& found);
    void claim(const TaskId& id, Task& task, Version version);
    void ask(const TaskId& id, Task& task);
    void begin_asking(const TaskId& id, Task& task, const Record& record);
    void owner_has_not(const TaskId& id, Task& task);
    void declare_lost(const TaskId& id, Task& task);
    void assign(const TaskId& id, Task& task);

    // Searching.
    bool has(const Task& task) const;
    void begin_search(const TaskId& id, Task& task);
    void ask_all(const TaskId& id, Task& task);
    void search_further(const TaskId& id, Task& task);
    void note_ended(const TaskId& id);

    // Working.
    void extend(const TaskId& id, Task& task);
    void release(const TaskId& id, Task& task);
    void lose(const TaskId& id, Task& task);
    void check_claim(const TaskId& id, Task& task, const Record& record);
    void check_outcome(const TaskId& id, Task& task, const Record& record);
    void check_release(const TaskId& id, Task& task, const Record& record);
    // Whether an entry of this edge may replace the record's: it is its claim, or there is none.
    bool is_still_ours(const Task& task, const Record& record) const;

    // Pulling.
    using Groups = std::vector<IdleAgents>;
    using QueueEntry = std::pair<const Queue, QueueState>;
    Groups free_agents() const;
    void reserve(Task& task);
    void unreserve(Task& task);
    bool has_reserved_agents() const;
    void end_unfit(const Groups& free);
    void change_store(StoreId store);
    bool pull_level(std::span<QueueEntry* const> level, const Groups& free, Groups& budget, bool is_lowest);
    void pull(const Queue& queue, QueueState& state, std::size_t count, bool waits);
    void end_pulls(const Queue* queue);
    void drop_pull(std::map<PullId, PullState>::iterator pull);

    State& s_;
    Time now_;
    std::vector<Action> actions_;
};

}  // namespace edge::agent_side
