// What the machines of an edge ask of an engine: the terms of both, and the actions and results that they
// share. Knows no engine: a shell translates the actions into its calls.
//
// An engine keeps two things for a pool.
// - Queues of tasks, one for each set of labels and priority. A queue holds a task at most once. It delivers
//   the task to one edge at a time, and again, to any edge, when the delivery's lease has passed without
//   being extended. It may deliver a task twice, late, or after it was settled.
// - A record for each task: a single entry with a version. A write replaces the entry only if the version is
//   still the one that the writer has seen (the fence). Reads return the latest entry.
// The record alone decides who may work on a task and which answer counts; queues only bring tasks about.
//
// Each request gets at most one result, except for a search. A shell that has lost the result, or the
// connection, reports `unknown` or nothing; the machines then look at the record. A request that was given up
// must be carried out within one lease after it was made, or never, and never by another store than the one
// of its connection. Settle, Extend and notices may be lost.
#pragma once

#include "base/id.hpp"
#include "base/labels.hpp"
#include "base/pool_types.hpp"

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace edge {

using Time = std::chrono::steady_clock::time_point;
using Duration = std::chrono::steady_clock::duration;

// A submission on the engine. The same id is the same task on every host.
using TaskId = base::SubmissionId;
using EdgeId = base::TextId<struct EdgeTag>;
// The engine's handle of a delivery, as text: it is kept over a restart and passed to other edges.
using Delivery = base::TextId<struct DeliveryTag>;
using PullId = base::StrongId<struct PullTag>;
// A request of one machine, and only while its process lives. 0 is none.
using RequestId = base::StrongId<struct EngineRequestTag>;
// The version of a record; 0 if there is no entry. No version is used twice for a task, not even by a store
// that takes the place of one that was lost: a write that expects an entry of the old store must be refused.
using Version = std::uint64_t;

// Identifies the engine's store: another one knows nothing of what the last one held.
using StoreId = base::StrongId<struct StoreTag>;

// A number that is different for each delivery, and so for each claim, over restarts as well.
struct Nonce {
    std::uint64_t start = 0;  // random, drawn by the shell for each machine when it starts
    std::uint64_t number = 0;

    friend auto operator<=>(const Nonce&, const Nonce&) = default;
};

// Tells an entry from any other, also from one that the same edge has written for an earlier delivery.
struct Author {
    EdgeId edge;
    Nonce nonce;

    friend auto operator<=>(const Author&, const Author&) = default;
};

// The tasks that need exactly these labels and have this priority.
struct Queue {
    base::Labels labels;
    std::int32_t priority = 0;

    friend auto operator<=>(const Queue&, const Queue&) = default;
};

enum class Outcome {
    processed,
    timeout,
    failed,      // the agent's command failed
    lost,        // several agents died at work on it
    rejected,    // the response is too large
    stopped,     // the pool was stopped, or the edge that had it; it may be submitted again
    invalid,     // the engine does not accept the task
    agent_lost,  // its edge has died or was cut off, so nobody knows how far its agent came
};

// What has gone wrong with a task before, on all hosts. The pool counts on from there.
struct Setbacks {
    int deaths = 0;
    int failures = 0;

    friend bool operator==(const Setbacks&, const Setbacks&) = default;
};

enum class EntryKind {
    claimed,    // the author's agents work on the task
    released,   // the author has handed it back: it may be claimed
    withdrawn,  // nobody waits for it, or the pool was stopped: it must not be claimed
    reopened,   // it was submitted again after that: it may be claimed when its owner has ended
    outcome,    // the end
};

struct Entry {
    EntryKind kind{};
    Author author;
    // claimed: the author. withdrawn, reopened: the author of the claim before it, if there was one; its
    // agent may still be at work.
    std::optional<Author> owner{};
    Setbacks setbacks{};  // released
    Outcome outcome{};    // outcome. Its text is the shell's
};

struct Record {
    Version version = 0;
    std::optional<Entry> last{};  // empty: no entry
};

// ---- requests, which have a result ----

enum class WriteResult { written, refused, unknown };

// Replaces the entry if the record has this version. An outcome's text is added by the shell, and is stored
// with the entry.
struct Write {
    RequestId request;
    TaskId task;
    Version expected = 0;
    Entry entry;
};
struct Written {
    TaskId task;
    RequestId request;
    WriteResult result{};
    Version version = 0;  // if it was written
};

// Reads the record, as it is after all writes whose results are known to anybody.
struct LookUp {
    RequestId request;
    TaskId task;
    bool with_queue = false;  // also say whether its queue holds the task. To be read after the record
    std::optional<Delivery> delivery{};  // also say whether its queue holds what was delivered then. Likewise
};
struct Found {
    Record record;
    bool is_queued = false;
    // The queue holds the task, but has nothing to deliver to the pulls that wait: somebody may have the
    // task, or the engine has forgotten to deliver it.
    bool is_passed_over = false;
    // What was delivered is in its queue, unless the task was published anew since. Empty: not asked for.
    std::optional<bool> is_current{};
};
struct LookedUp {
    TaskId task;
    RequestId request;
    std::optional<Found> found;  // empty: unknown
    // Unknown because the record is of another version, or damaged: it may stay so for long.
    bool is_unreadable = false;
};

// Asks the owner of a claim whether it has the task.
struct Ask {
    RequestId request;
    TaskId task;
    Author owner;
    std::optional<Delivery> delivery{};  // for the owner, to extend and to settle
};
// `silent`: there is no such edge at the moment, or it does not answer.
enum class OwnerReply { has, has_not, silent };
struct OwnerReplied {
    TaskId task;
    RequestId request;
    OwnerReply reply{};
};

// ---- requests without a result ----

// Ends the delivery. `again`: the task is delivered again, at once if possible; otherwise it leaves the
// queue.
struct Settle {
    TaskId task;
    Delivery delivery;
    bool again = false;
};

// ---- a search, for a task whose record is empty although somebody may have had it: the engine may have lost
// an entry that it had acknowledged. Or, `for_submitters`, for other edges whose submitters wait for it ----

// Asks all edges, this one too. May be repeated under its number.
struct Search {
    RequestId request;
    TaskId task;
    bool for_submitters = false;
};
// What an edge knows of the task (SearchState::found() says what outweighs what).
enum class Trace {
    none,
    ended,    // this edge has written its outcome a short time ago
    over,     // its submitter here has the answer, or wants none
    awaited,  // its submitter here waits for the answer, and knows no more
    held,     // this edge has it or is about to, or its submitter here knows which one has: there will be a
              // record. For submitters: one waits for it here
};
// What one edge has replied. Those that know nothing do not reply, nor do those of older versions.
struct Searched {
    TaskId task;
    RequestId request;
    Trace trace{};
};
// `seeker` searches for the task.
struct Sought {
    std::uint64_t question = 0;
    TaskId task;
    EdgeId seeker;
    bool for_submitters = false;  // then the agents' side does not get it
};
// The reply to it.
struct TraceReply {
    std::uint64_t question = 0;
    Trace trace{};
};

// How long each part of the protocol takes. All edges of a pool have the same lease.
struct Times {
    Duration lease = std::chrono::seconds(30);         // of a delivery
    Duration pull = std::chrono::seconds(20);          // that a pull waits; at most a lease
    Duration request = std::chrono::seconds(5);        // after that, the result of a request is unknown
    Duration ask = std::chrono::seconds(2);            // after that, an owner is asked again
    Duration ask_patience = std::chrono::seconds(10);  // after that, it is taken to be silent
    Duration search = std::chrono::seconds(10);        // after that, all edges are asked for the last time
    Duration first_look = std::chrono::seconds(5);     // at a submission's record; then at growing intervals
    Duration watchdog = std::chrono::seconds(120);     // after that, a submitter asks a task's owner
};

// The times of a pool with this lease: the others are shorter with a shorter one.
Times times_for(Duration lease);

}  // namespace edge
