// The implementation of submitter_side::apply(): submitter_side.cpp handles submitters and time, upkeep.cpp
// what the engine says of open tasks, missing.cpp what becomes of those that it does not know, sharing.cpp
// that submitters of other edges wait, too, closing.cpp withdrawal and what is left to tidy. Private to this
// library.
#pragma once

#include "edge/submitter_side.hpp"

#include <utility>

namespace edge::submitter_side {

// One call of apply(): the state, the time, and the actions so far.
class Transition {
  public:
    Transition(State& state, Time now) : s_(state), now_(now) {}

    void operator()(const Recovered& event);
    void operator()(const Connected& event);
    void operator()(const Disconnected&);
    void operator()(const Submitted& event);
    void operator()(const Withdrawn& event);
    void operator()(const Consumed& event);
    void operator()(const Published& event);
    void operator()(const Removed& event);
    void operator()(const Written& event);
    void operator()(const LookedUp& event);
    void operator()(const OwnerReplied& event);
    void operator()(const Searched& event);
    void operator()(const Sought& event);
    void operator()(const Noticed& event);
    void operator()(const Joined& event);
    void operator()(const Stopping&);
    void operator()(const TimePassed&);

    std::vector<Action> take_actions() { return std::move(actions_); }

  private:
    const Times& times() const { return s_.config.times; }
    Submission* find(const TaskId& id);
    Submission* awaiting(const TaskId& id, RequestId request);
    void set_due(const TaskId& id, Submission& task, std::optional<Time> due);
    RequestId new_request(const TaskId& id, Submission& task);
    void unknown(const TaskId& id, Submission& task);
    void look_later(const TaskId& id, Submission& task);

    std::vector<TaskId> in_order() const;
    void resume(const TaskId& id, Submission& task);
    void refuse(const TaskId& id);
    void store_was_lost(const TaskId& id, Submission& task);
    void note(const TaskId& id, const Submission& task);
    void submitted_again(const TaskId& id, Submission& task, const Queue& queue);
    void publish(const TaskId& id, Submission& task, bool is_repeated = false);
    void look_up(const TaskId& id, Submission& task);
    void write(const TaskId& id, Submission& task, Phase phase);
    void answer(const TaskId& id, Submission& task, Outcome outcome);
    void reopened(const TaskId& id, Submission& task);

    void learn(const TaskId& id, Submission& task, const Record& record);
    void judge(const TaskId& id, Submission& task, const Found& found);
    void wait_on(const TaskId& id, Submission& task);
    void requeue(const TaskId& id, Submission& task, bool is_undelivered);
    void wait_in_queue(const TaskId& id, Submission& task, bool is_passed_over);
    void wait_in_queue_without_entry(const TaskId& id, Submission& task, bool is_passed_over);
    std::optional<Time> passed_over_since(Submission& task, bool is_passed_over) const;
    void judge_claimed(const TaskId& id, Submission& task, bool is_queued);
    void judge_without_entry(const TaskId& id, Submission& task, const Found& found);
    void ask(const TaskId& id, Submission& task);

    bool is_missing_for_long(const TaskId& id, Submission& task);
    void search(const TaskId& id, Submission& task);
    void begin_search(const TaskId& id, Submission& task, Duration interval);
    void ask_all(const TaskId& id, Submission& task);
    void search_further(const TaskId& id, Submission& task);
    void note_lost(const TaskId& id, Submission& task);
    void publish_lost(const TaskId& id, Submission& task, bool is_repeated);
    Trace trace_of(const Submission& task) const;

    void share(const TaskId& id, Submission& task);
    void leave(const TaskId& id, Submission& task);
    static void leave_when_published(Submission& task);
    void published_while_leaving(const TaskId& id, Submission& task, PublishResult result);
    static bool is_waited_for(const Submission* task);
    void left(const TaskId& id, Submission& task);
    void withdraw(const TaskId& id, Submission& task, bool stops);
    void withdraw_on(const TaskId& id, Submission& task);
    void withdrawal_is_written(const TaskId& id, Submission& task);
    void close(const TaskId& id, Submission& task);
    void remove(const TaskId& id, Submission& task);
    void purge(const TaskId& id, Submission& task);
    void purged(const TaskId& id, Submission& task);
    void forget(const TaskId& id, Submission& task);

    State& s_;
    Time now_;
    std::vector<Action> actions_;
};

inline bool is_open(Phase phase) {
    return phase <= Phase::declaring;
}

}  // namespace edge::submitter_side
