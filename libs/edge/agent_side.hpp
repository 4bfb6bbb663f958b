// The machine of an edge for the tasks that its agents do: how many tasks are pulled from which queue, who
// may work on a task, and which answer counts. edge/submitter_side is the other half. Pure: no clock, engine,
// files or contents of tasks. It does not choose agents: the local pool (pool/machine) does that.
//
// A delivered task is claimed in its record before the pool gets it, and its outcome is written to the record
// before the delivery is settled. If the record is somebody else's, that edge is asked whether it has the
// task; if it is silent or has lost it, the outcome is agent_lost. If a task that may have been delivered
// before has no record, all edges are asked: the engine may have lost it.
//
// The order of calls: first Recovered for each note that an earlier process has left; then Queues and Idle;
// then Connected. Idle follows each change of the idle agents, before any other event.
#pragma once

#include "edge/ended_tasks.hpp"
#include "edge/engine.hpp"
#include "edge/schedule.hpp"
#include "edge/search_state.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <variant>
#include <vector>

namespace edge::agent_side {

struct Config {
    EdgeId self;              // stays the same over restarts
    std::uint64_t start = 0;  // of the nonces; no other machine has the same
    Times times{};
};

// ---- events: what has happened ----

enum class Stage {
    unassigned,  // the pool has not got it
    assigned,    // the pool has got it, and recovers it
    answered,    // there is an answer
};
// The note that an earlier process had made of the task.
struct Recovered {
    TaskId task;
    Queue queue;
    std::optional<Duration> timeout;
    Delivery delivery;
    Nonce nonce;
    Setbacks setbacks;
    Stage stage{};
    Outcome outcome{};  // answered
};
struct Connected {
    StoreId store;
};
// Requests and pulls have no result any more.
struct Disconnected {};
struct IdleAgents {
    base::Labels labels;
    std::size_t count = 0;

    friend bool operator==(const IdleAgents&, const IdleAgents&) = default;
};
// All idle agents, by their labels, after every Assign so far was carried out.
struct Idle {
    std::vector<IdleAgents> agents;
};
// All queues that the engine has.
struct Queues {
    std::vector<Queue> queues;
};
struct Delivered {
    PullId pull;
    TaskId task;
    Delivery delivery;
    Queue queue;
    std::optional<Duration> timeout;
    bool is_repeated = false;  // it may have been delivered before
};
// The pull brings no more tasks.
struct PullEnded {
    PullId pull;
};
// An edge asks whether this one has the task under that nonce, and may pass on the delivery that it got.
struct Asked {
    std::uint64_t question = 0;
    TaskId task;
    Nonce nonce;
    std::optional<Delivery> delivery;
};
// The pool has an answer, which is kept until Forget. `stopped`: the pool refuses the task because it stops,
// and its agent has ended or was kicked.
struct Answered {
    TaskId task;
    Outcome outcome{};
};
// The task was handed back to the pool, or its agent has died or failed, and no idle agent fits it.
struct Unassigned {
    TaskId task;
    Setbacks setbacks;
};
// No agent works any more on the task, which was recalled by this process or an earlier one.
struct Ended {
    TaskId task;
};
// Somebody has changed the task's record: a hint, which may be wrong.
struct Check {
    TaskId task;
};
// Nothing is pulled any more. Agents finish their tasks.
struct Draining {};
// next_deadline() has passed.
struct TimePassed {};

using Event = std::variant<Recovered, Connected, Disconnected, Idle, Queues, Delivered, PullEnded, Written,
                           LookedUp, OwnerReplied, Asked, Searched, Sought, Answered, Unassigned, Ended,
                           Check, Draining, TimePassed>;

// ---- actions, which the shell carries out in this order ----

// Asks for up to `count` tasks of the queue. PullEnded follows when there have been so many; when the queue
// is empty, or, if the pull waits, after Times::pull.
struct Pull {
    PullId pull;
    Queue queue;
    std::size_t count = 0;
    bool waits = false;
};
// Ends the pull as far as possible. No PullEnded follows.
struct EndPull {
    PullId pull;
};
// The lease of the delivery begins anew.
struct Extend {
    TaskId task;
    Delivery delivery;
};
// The reply to Asked.
struct Reply {
    std::uint64_t question = 0;
    bool has = false;
};
// The shell keeps it so that it survives the death of the process, before any further action is carried out.
struct Note {
    TaskId task;
    Queue queue;
    std::optional<Duration> timeout;
    Delivery delivery;
    Nonce nonce;
    Setbacks setbacks;
};
// The note, and the answer if there is one, are not needed any more.
struct Forget {
    TaskId task;
};
// The pool gets the task. The note says so before an agent sees it (Stage::assigned), and with which
// setbacks.
struct Assign {
    TaskId task;
    Queue queue;
    std::optional<Duration> timeout;
    Setbacks setbacks;
    bool was_unknown = false;  // it was searched for in vain: if its record was lost, it is done twice
};
// The pool withdraws the task. `wants_end`: Ended is to follow, as soon as no agent works on it.
struct Recall {
    TaskId task;
    bool wants_end = false;
};

using Action = std::variant<Pull, EndPull, Extend, Write, LookUp, Ask, Reply, Search, TraceReply, Settle,
                            Note, Forget, Assign, Recall>;

// ---- state ----

enum class Phase {
    claiming,   // the claim is being written, or looked at
    asking,     // whether the record's owner has the task
    searching,  // there is no record: whether anybody has, or had, the task
    declaring,  // that the owner is lost
    working,    // the pool has the task
    answering,  // the outcome is being written
    releasing,  // the task is being handed back
    ending,     // it is not ours any more, but an agent may still work on it
};

struct Task {
    Phase phase{};
    Queue queue;
    std::optional<Duration> timeout;
    Setbacks setbacks;
    Delivery delivery;
    Nonce nonce;                     // of all that is written for this delivery
    bool is_repeated = false;        // to be searched for before it is claimed without a record
    SearchState search;              // searching
    bool was_unknown = false;        // to everybody, when it was searched for
    Time claimable_until{};          // after that, the record may have been purged
    std::optional<Version> version;  // of the record, as it was seen last
    std::optional<Author> owner;     // asking: who is asked
    bool was_reopened = false;       // asking: the owner's claim was withdrawn, so it only has to end
    Time patient_until{};            // asking
    Outcome outcome{};               // answering
    RequestId request;               // that is outstanding
    Time sent{};                     // when it was sent
    bool is_reserved = false;        // an idle agent is set aside for it
    std::optional<Time> due;
};

// Higher priorities are first.
struct QueueOrder {
    bool operator()(const Queue& left, const Queue& right) const {
        return left.priority == right.priority ? left.labels < right.labels : left.priority > right.priority;
    }
};

struct QueueState {
    bool is_empty = false;        // as far as is known
    std::size_t outstanding = 0;  // tasks that pulls may still bring
    std::size_t pulls = 0;        // that have not ended
};

struct PullState {
    Queue queue;
    std::size_t left = 0;
    bool waits = false;
    Time sent{};
};

struct Statistics {
    std::uint64_t claimed = 0;
    std::uint64_t surplus = 0;      // deliveries that were handed back unclaimed
    std::uint64_t redelivered = 0;  // of tasks that somebody had claimed
    std::uint64_t released = 0;
    std::uint64_t owners_lost = 0;   // outcomes agent_lost that were written here
    std::uint64_t leases_lost = 0;   // tasks that were taken from agents here
    std::uint64_t late_answers = 0;  // that were refused
};

struct State {
    Config config;
    std::unordered_map<TaskId, Task> tasks;
    Schedule schedule;
    EndedTasks ended;
    std::vector<IdleAgents> idle;
    std::map<base::Labels, std::size_t> reserved;     // idle agents that tasks are about to need
    std::map<base::Labels, std::size_t> unreflected;  // those that got a task since the last Idle
    std::map<Queue, QueueState, QueueOrder> queues;
    std::map<PullId, PullState> pulls;   // in the order in which they were sent
    std::map<PullId, Time> ended_pulls;  // when they were sent: they may still bring what was under way
    std::uint64_t last_request = 0;
    std::uint64_t last_pull = 0;
    std::uint64_t last_nonce = 0;
    std::size_t turn = 0;            // which queue of a priority is asked first
    std::optional<StoreId> store;    // of the last connection
    std::set<StoreId> other_stores;  // of earlier ones
    Time doubtful_until{};  // until then, each delivery may be of a task that another store has seen end
    bool is_connected = false;
    bool is_draining = false;
    Statistics statistics;
};

// Applies `event` to the state and returns the resulting actions. `now` must not decrease.
std::vector<Action> apply(State& state, const Event& event, Time now);

// The time at which TimePassed is due, if nothing happens before.
std::optional<Time> next_deadline(const State& state);

// Whether the process may end without leaving a task to its note.
bool is_drained(const State& state);

}  // namespace edge::agent_side
