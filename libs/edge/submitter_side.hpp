// The machine of an edge for the tasks that its submitters submit: they are published, looked after, and
// answered exactly once. edge/agent_side is the other half. Pure: no clock, engine, files or contents of
// tasks and answers. Who waits for which answer is not known here, either: pool/delivery knows it.
//
// An engine may lose a task, and a notice of a new entry may be lost, late or repeated. So each open task is
// looked up at growing intervals, and published again if neither its record nor its queue knows it, nor any
// edge.
//
// The order of calls: first Recovered for each note that an earlier process has left, then Connected.
#pragma once

#include "edge/engine.hpp"
#include "edge/schedule.hpp"
#include "edge/search_state.hpp"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <variant>
#include <vector>

namespace edge::submitter_side {

struct Config {
    EdgeId self;
    std::uint64_t start = 0;  // of the nonces; no other machine has the same
    Times times{};
};

// ---- events: what has happened ----

// The note that an earlier process had made of the task. Submitted or Withdrawn is to follow, if it was not
// closed.
struct Recovered {
    TaskId task;
    Queue queue;
    std::optional<StoreId> store{};
    bool was_lost = false;
    bool is_closed = false;  // NoteClosed was carried out
};
struct Connected {
    StoreId store;
};
// Requests have no result any more, and notices were lost.
struct Disconnected {};
// Somebody waits for the answer. Not repeated until there is one, or Withdrawn. A task that was answered is
// answered once more, for as long as its record is kept; one that was withdrawn is done anew.
struct Submitted {
    TaskId task;
    Queue queue;
};
// Nobody waits for the answer any more.
struct Withdrawn {
    TaskId task;
};
// The answer has been delivered, or nobody wants it.
struct Consumed {
    TaskId task;
};
// `held`: the queue held the task already, so another edge's submitter may wait for it, too. `refused`: the
// engine will never accept it.
enum class PublishResult { queued, held, refused, unknown };
struct Published {
    TaskId task;
    RequestId request;
    PublishResult result{};
};
// A removal or a purge has ended.
struct Removed {
    TaskId task;
    RequestId request;
    bool is_done = false;  // false: unknown
};
// A task's record has changed to this.
struct Noticed {
    TaskId task;
    Record record;
};
// Some edge has carried out a Join.
struct Joined {
    TaskId task;
};
// The pool is stopped, on all hosts.
struct Stopping {};
// next_deadline() has passed.
struct TimePassed {};

using Event =
    std::variant<Recovered, Connected, Disconnected, Submitted, Withdrawn, Consumed, Published, Removed,
                 Written, LookedUp, OwnerReplied, Searched, Sought, Noticed, Joined, Stopping, TimePassed>;

// ---- actions, which the shell carries out in this order ----

// The shell keeps it so that it survives the death of the process, before any further action is carried out;
// with the task's contents, for as long as it may be published again.
struct Note {
    TaskId task;
    Queue queue;
    std::optional<StoreId> store;  // where it is published; empty: nowhere yet
    bool was_lost = false;         // as in Answer
};
// The shell keeps it as it keeps a Note. Nobody waits for the answer: only the engine has to be tidied.
struct NoteClosed {
    TaskId task;
};
struct Forget {
    TaskId task;
};
struct Publish {
    RequestId request;
    TaskId task;
    Queue queue;
    bool is_repeated = false;  // the task may have been delivered before: whoever gets it is told so
};
// The submitter gets the text of the record's entry, which the shell keeps from the notice or the look-up
// that brought it.
struct Answer {
    TaskId task;
    Outcome outcome{};
    // The engine had lost what it knew of the task: it may have been done twice, if the host that had it
    // could not be reached then.
    bool was_lost = false;
};
// All edges are told that more than one may have a submitter for the task. May be lost.
struct Join {
    TaskId task;
};
// The edge is told to check the task's record. May be lost.
struct Notify {
    TaskId task;
    EdgeId edge;
};
// Takes the task out of its queue, if that holds it.
struct Remove {
    RequestId request;
    TaskId task;
    Queue queue;
    bool is_undelivered = false;  // because the engine does not deliver it: it is published again
};
// Removes the record, if it still has this version.
struct Purge {
    RequestId request;
    TaskId task;
    Version version = 0;
};

using Action = std::variant<Note, NoteClosed, Forget, Publish, Write, LookUp, Ask, Search, TraceReply, Answer,
                            Join, Notify, Remove, Purge>;

// ---- state ----

enum class Phase {
    publishing,   // the result is not known yet
    waiting,      // for the outcome
    reopening,    // the record says that it was withdrawn, which is being undone
    restoring,    // its owner's claim, which the engine has lost
    requeueing,   // it is taken out of its queue, to be published again
    searching,    // for an edge that knows of it, because the engine does not
    asking,       // its owner, of which nothing was heard for long
    declaring,    // that its owner is lost
    leaving,      // nobody waits here: other edges are asked whether somebody waits there; before that, it is
                  // published to the end
    withdrawing,  // that is being written
    answered,     // but the answer is not consumed yet
    removing,     // from its queue, where a late or second message may be left
    kept,         // the record, for edges that still have an old delivery of the task
    purging,
};

struct Submission {
    std::uint64_t number = 0;  // in the order in which they came
    Phase phase{};
    Queue queue;
    Record record;                // as it was seen last
    std::optional<Author> owner;  // who has claimed it
    Time heard{};                 // when that became known here, or when the owner last said so
    Time patient_until{};         // asking
    SearchState search;           // searching, leaving
    bool is_shared = false;       // submitters of other edges may wait for it
    std::optional<Time> missing;  // since when the engine does not seem to know the task
    // Since when the engine does not deliver it, although it is queued and nobody has it.
    std::optional<Time> passed_over;
    Duration interval{};           // until the next look
    Time published{};              // when it was sent last
    std::optional<StoreId> store;  // where it was published last
    bool is_awaited = true;        // its submitter has asked this process; until then, nothing is published
    bool was_known = false;        // to the engine, at some time; or perhaps to a store that is gone
    bool was_lost = false;         // as in Answer
    bool was_wiped = false;        // a store in which it was is gone
    bool was_ended = false;        // there was an outcome, which the record should have
    // The owner of the task when the store was lost: if that one still has it, it was not lost after all.
    std::optional<Author> sole_owner;
    bool stops = false;            // withdrawing: because the pool is stopped
    bool is_wanted_again = false;  // leaving, withdrawing, purging: it was submitted again
    // The queue for which it was submitted again after its end. Until it is published there, `queue` may hold
    // it.
    std::optional<Queue> wanted_queue;
    RequestId request;  // that is outstanding
    std::optional<Time> due;
};

struct Statistics {
    std::uint64_t published = 0;
    std::uint64_t published_again = 0;  // of these, tasks that the engine had lost or did not deliver
    std::uint64_t owners_lost = 0;      // outcomes agent_lost that were written here
};

struct State {
    Config config;
    std::unordered_map<TaskId, Submission> submissions;
    Schedule schedule;
    std::uint64_t last_number = 0;
    std::uint64_t last_request = 0;
    std::optional<StoreId> store;  // of the last connection
    bool is_connected = false;
    bool is_stopping = false;
    Statistics statistics;
};

// Applies `event` to the state and returns the resulting actions. `now` must not decrease.
std::vector<Action> apply(State& state, const Event& event, Time now);

// The time at which TimePassed is due, if nothing happens before.
std::optional<Time> next_deadline(const State& state);

}  // namespace edge::submitter_side
