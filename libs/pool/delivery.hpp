// Who waits for which answer, how long an absent submitter is waited for, how long an answer is kept that
// could not be delivered, and when a failed write is tried again. Beside pool/machine, which decides who does
// the work. Pure: no clock, no files, no sockets, no contents, no texts of answers. The daemon turns what it
// sees into events and carries out the actions.
#pragma once

#include "base/id.hpp"
#include "pool/machine.hpp"
#include "pool/timetable.hpp"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

namespace pool::delivery {

// A submitter's connection. Never used for another one.
using Peer = base::StrongId<struct PeerTag>;

// How long a submitter whose connection or request file is gone may take to ask again.
inline constexpr Duration reconnect_time = std::chrono::seconds(60);
// How long an answer that could not be delivered is kept as a response file.
inline constexpr Duration keep_time = std::chrono::hours(1);
// Until a write or read that failed is tried again, or a slow peer looked at again.
inline constexpr Duration retry_delay = std::chrono::seconds(1);

// What a submitter wants to be told besides the plain answer.
struct Wishes {
    bool agent = false;     // who had the task, and what went wrong with it
    bool failures = false;  // that an agent has failed at the task or died of it
};

// ---- events: what has happened ----

// A request has come over a connection; one for a submission that is waited for joins it.
struct Asked {
    SubmissionId submission;
    Peer peer;
    bool has_own_id = true;  // given by the submitter, who may come back and ask again
    Wishes wishes{};
};
// A request file is there. Seen again, it is the same.
struct AskedByFile {
    SubmissionId submission;
    Wishes wishes{};
};
// The request file is gone.
struct RequestRemoved {
    SubmissionId submission;
};
// The request file can't be read for now.
struct RequestUnreadable {
    SubmissionId submission;
};
// An agent has had it since an earlier daemon's time.
struct Recovered {
    SubmissionId submission;
    bool has_own_id = true;
    bool has_request = false;  // a request file
    bool is_answered = false;  // by a response file
    Wishes wishes{};
};
// The answer was already given, or is kept, and `peer` asks for it again.
struct AskedAgain {
    SubmissionId submission;
    Peer peer;
};
// The same by a request file.
struct AskedAgainByFile {
    SubmissionId submission;
};
// A submitter on a connection that it keeps does not want the answer any more.
struct WithdrawnByPeer {
    SubmissionId submission;
    Peer peer;
    bool has_output = false;  // the peer has not taken all that was sent to it
};
// The daemon itself gives the submission up.
struct GivenUp {
    SubmissionId submission;
};
// The peer can host the pool when this daemon ends.
struct HostOffered {
    Peer peer;
};
// The submission has its answer.
struct Answered {
    SubmissionId submission;
    bool is_kept = true;  // for a submitter that comes back
};
// Why an answer is sent, and so what is to become of it if a peer is slow to take it.
enum class SendReason {
    answered,  // the answer is kept as a response file for so long
    unkept,    // nothing
    repeated,  // the same as answered; taken, the response file from before goes
};
// The answer is with the kernel, but for the part that the slow peers have not taken.
struct Sent {
    SubmissionId submission;
    SendReason reason;  // as in Send
    std::vector<Peer> slow;
};
// Of the peers that CheckOutput named.
struct OutputChecked {
    SubmissionId submission;
    bool is_taken = false;  // none of them has anything left to take
};
// An answer that is worth keeping may not have reached its peer, whose connection is gone.
struct Undelivered {
    SubmissionId submission;
    Peer peer;
};
// After all that is Undelivered.
struct PeerGone {
    Peer peer;
};
// A response file without a request is there.
struct ResponseFound {
    SubmissionId submission;
    Duration age{};  // since it was written; negative if the calendar was set back
};
// A response file that is kept is about to be removed.
struct ResponseReleased {
    SubmissionId submission;
};
enum class Unwritten { answer, refusal };
// The disk has not taken a response file.
struct WriteFailed {
    SubmissionId submission;
    Unwritten what;
};
// next_deadline() is due. Deals with one thing: to be told until next_deadline() lies in the future.
struct TimePassed {};
// The daemon is about to end: slow peers are looked at for the last time.
struct Ending {};

using Event =
    std::variant<Asked, AskedByFile, RequestRemoved, RequestUnreadable, Recovered, AskedAgain,
                 AskedAgainByFile, WithdrawnByPeer, GivenUp, HostOffered, Answered, Sent, OutputChecked,
                 Undelivered, PeerGone, ResponseFound, ResponseReleased, WriteFailed, TimePassed, Ending>;

// ---- actions: what the daemon is to do, in this order ----
// Each call of apply() leaves a state that stands by itself: carrying out an action may lead to further
// events before the next action is carried out.

// The submission is new to the pool.
struct Enqueue {
    SubmissionId submission;
    bool wants_failures = false;
};
// One of those who ask for a submission that is known already wants to hear of failures.
struct WantFailures {
    SubmissionId submission;
};
// Nobody waits for it any more.
struct Withdraw {
    SubmissionId submission;
};
// The peer is not answered after all.
struct CancelReply {
    Peer peer;
};
// The answer is remembered, for a submitter that asks again.
struct Remember {
    SubmissionId submission;
};
// The answer goes to each peer. To be followed by Sent.
struct Send {
    SubmissionId submission;
    SendReason reason;
    std::vector<Peer> peers;
};
enum class WriteReason {
    requested,    // by a file; nothing is written if that is gone by now
    repeated,     // to a request file that has come again
    undelivered,  // its submitter may come back
    slow_peer,    // until the peer has taken it
};
// The answer becomes a response file. WriteFailed if that fails.
struct WriteResponse {
    SubmissionId submission;
    WriteReason reason;
};
// The answer whose write has failed becomes a response file; WriteFailed again if that fails.
struct RetryWrite {
    SubmissionId submission;
};
// The response file goes, unless there is a request file: then it is its submitter's. To be preceded by
// ResponseReleased.
struct RemoveResponse {
    SubmissionId submission;
};
// To be followed by OutputChecked.
struct CheckOutput {
    SubmissionId submission;
    std::vector<Peer> peers;
};
// The request file is looked at (again).
struct ReadRequest {
    SubmissionId submission;
};

using Action = std::variant<Enqueue, WantFailures, Withdraw, CancelReply, Remember, Send, WriteResponse,
                            RetryWrite, RemoveResponse, CheckOutput, ReadRequest>;

// ---- state ----

struct Waiting {
    std::vector<Peer> peers;  // each is answered once
    bool by_file = false;
    bool has_own_id = false;
    Wishes wishes{};
    std::uint64_t number = 0;  // in the order of submission; of recovered ones 0
};

// What is due for a submission.
enum class Due {
    withdrawal,    // its submitter has been absent for too long
    expiry,        // of the response file that is kept
    output_check,  // of its slow peers
    write,         // that has failed
    read,          // that has failed
};

struct State {
    std::unordered_map<SubmissionId, Waiting> waiting;
    std::unordered_map<Peer, std::unordered_set<SubmissionId>> by_peer;
    // Withdrawn by a peer while their answers were on their way to it.
    std::unordered_map<Peer, std::unordered_set<SubmissionId>> withdrawn_late;
    std::vector<Peer> hosts;                                   // first come, first served
    std::unordered_map<SubmissionId, std::vector<Peer>> slow;  // who has not taken the answer yet
    std::unordered_map<SubmissionId, Unwritten> unwritten;     // what the disk has not taken yet
    Timetable<Due> due;
    std::uint64_t last_number = 0;
};

// Carries `event` into the state and returns what follows from it. `now` never goes backwards.
std::vector<Action> apply(State& state, const Event& event, Time now);

// When TimePassed is due next, if nothing else happens.
std::optional<Time> next_deadline(const State& state);

// The peer that is to host the pool next: of those that have offered it, the one whose submission has waited
// longest. Looks at each submission.
std::optional<Peer> next_host(const State& state);

// The submissions whose submitters can't ask again elsewhere: they gave no id, and wait on a connection.
std::vector<SubmissionId> anonymous(const State& state);

}  // namespace pool::delivery
