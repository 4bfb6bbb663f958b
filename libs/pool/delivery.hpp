// The state machine for answers: which submitters wait for which answer, how long to wait for an absent
// submitter, how long to keep an answer that could not be delivered, and when to retry a failed write.
// pool/machine decides who does the work. Pure: no clock, files or sockets, and neither tasks nor texts of
// answers. The daemon translates what happens into events and carries out the actions.
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

// A submitter's connection. Never reused for another connection.
using Peer = base::StrongId<struct PeerTag>;

// How long an answer that could not be delivered is kept as a response file.
inline constexpr Duration keep_time = std::chrono::hours(1);
// How long the answer to a request file lies there for its submitter, if no process shows that it lives. Then
// both files are removed.
inline constexpr Duration fetch_time = std::chrono::hours(24);
// The delay before a failed write or read is retried, or the output of a slow peer is checked again.
inline constexpr Duration retry_delay = std::chrono::seconds(1);

// Information that a submitter requests in addition to the plain answer.
struct AnswerDetails {
    bool agent = false;     // which agent had the task, and what went wrong
    bool failures = false;  // that an agent failed at the task or died
};

// ---- events: what has happened ----

// A request arrived over a connection. If its submission is known, the peer waits for the same answer.
struct Asked {
    SubmissionId submission;
    Peer peer;
    bool has_own_id = true;  // given by the submitter, which may come back and ask again
    AnswerDetails options{};
};
// There is a request file. Reporting it again has no effect.
struct AskedByFile {
    SubmissionId submission;
    AnswerDetails options{};
};
// The request file was removed.
struct RequestRemoved {
    SubmissionId submission;
};
// The request file cannot be read at the moment.
struct RequestUnreadable {
    SubmissionId submission;
};
// The submission was assigned to an agent by an earlier daemon.
struct Recovered {
    SubmissionId submission;
    bool has_own_id = true;
    bool has_request = false;  // there is a request file
    bool is_answered = false;  // by a response file
    AnswerDetails options{};
};
// The submission was answered before, or its answer is kept, and `peer` asks for it again.
struct AskedAgain {
    SubmissionId submission;
    Peer peer;
};
// The submission was answered before, or its answer is kept, and a request file asks for it again.
struct AskedAgainByFile {
    SubmissionId submission;
};
// A submitter withdraws over a connection that stays open.
struct WithdrawnByPeer {
    SubmissionId submission;
    Peer peer;
    bool has_output = false;  // the peer has not yet read everything that was sent to it
};
// The daemon itself gives the submission up.
struct GivenUp {
    SubmissionId submission;
};
// The peer offers to host the pool when this daemon ends.
struct HostOffered {
    Peer peer;
};
// The submission was answered.
struct Answered {
    SubmissionId submission;
    bool is_kept = true;  // for a submitter that comes back
};
// Why an answer is sent. Decides what happens if a peer is slow to read it.
enum class SendReason {
    answered,  // the answer is also kept as a response file until the peer has read it
    unkept,    // nothing
    repeated,  // as for `answered`; once the peer has read it, the earlier response file is removed
};
// The kernel has accepted the answer, except for the part that slow peers have not read.
struct Sent {
    SubmissionId submission;
    SendReason reason;  // as in Send
    std::vector<Peer> slow;
};
// The result of CheckOutput.
struct OutputChecked {
    SubmissionId submission;
    bool is_taken = false;  // no peer has unread output
};
// An answer that must be kept may not have reached its peer, whose connection has ended.
struct Undelivered {
    SubmissionId submission;
    Peer peer;
};
// Comes after all Undelivered events of the peer.
struct PeerGone {
    Peer peer;
};
// There is a response file without a request.
struct ResponseFound {
    SubmissionId submission;
    Duration age{};  // since it was written; negative if the system clock was set back
};
// There are a request file and the response file that answers it.
struct UnfetchedFound {
    SubmissionId submission;
    Duration age{};        // since the later of the two was written; negative if the clock was set back
    bool is_held = false;  // the submitter lives: it holds a lock on its request file
};
// A kept response file is about to be removed.
struct ResponseReleased {
    SubmissionId submission;
};
enum class Unwritten { answer, refusal };
// The disk did not accept a response file.
struct WriteFailed {
    SubmissionId submission;
    Unwritten what;
};
// next_deadline() has passed. Handles a single entry: repeat it until next_deadline() lies in the future.
struct TimePassed {};
// The daemon is about to end: the output of slow peers is checked for the last time.
struct Ending {};

using Event = std::variant<Asked, AskedByFile, RequestRemoved, RequestUnreadable, Recovered, AskedAgain,
                           AskedAgainByFile, WithdrawnByPeer, GivenUp, HostOffered, Answered, Sent,
                           OutputChecked, Undelivered, PeerGone, ResponseFound, UnfetchedFound,
                           ResponseReleased, WriteFailed, TimePassed, Ending>;

// ---- actions, which the daemon carries out in this order ----
// Each call of apply() leaves a consistent state: carrying out an action may cause further events before the
// next action is carried out.

// The submission is new.
struct Enqueue {
    SubmissionId submission;
    bool wants_failures = false;
};
// One of the submitters of a known submission wants to be told of failures.
struct WantFailures {
    SubmissionId submission;
};
// No submitter waits for the submission any more.
struct Withdraw {
    SubmissionId submission;
};
// The peer will not be answered.
struct CancelReply {
    Peer peer;
};
// Remember the answer, for submitters that ask again.
struct Remember {
    SubmissionId submission;
};
// Send the answer to each peer. To be followed by Sent.
struct Send {
    SubmissionId submission;
    SendReason reason;
    std::vector<Peer> peers;
};
enum class WriteReason {
    requested,    // by a file; if that is gone, nothing is written
    repeated,     // the request file was written again
    undelivered,  // the submitter may come back
    slow_peer,    // until the peer has read it
};
// Write the answer to a response file. WriteFailed if that fails.
struct WriteResponse {
    SubmissionId submission;
    WriteReason reason;
};
// Retry the failed write of a response file; WriteFailed if it fails again.
struct RetryWrite {
    SubmissionId submission;
};
// Remove the response file, unless there is a request file: then the file belongs to its submitter. To be
// preceded by ResponseReleased.
struct RemoveResponse {
    SubmissionId submission;
};
// To be followed by OutputChecked.
struct CheckOutput {
    SubmissionId submission;
    std::vector<Peer> peers;
};
// Look whether the request file and its response file are still there. To be followed by UnfetchedFound if
// so.
struct CheckFetched {
    SubmissionId submission;
};
// Remove the request file, and then the response file: the other order would be a new request.
struct RemoveUnfetched {
    SubmissionId submission;
};
// Read the request file (again).
struct ReadRequest {
    SubmissionId submission;
};

using Action =
    std::variant<Enqueue, WantFailures, Withdraw, CancelReply, Remember, Send, WriteResponse, RetryWrite,
                 RemoveResponse, CheckOutput, CheckFetched, RemoveUnfetched, ReadRequest>;

// ---- state ----

struct Waiting {
    std::vector<Peer> peers;  // each is answered once
    bool by_file = false;
    bool has_own_id = false;
    AnswerDetails options{};
    std::uint64_t number = 0;  // in the order of submission; 0 for recovered ones
};

// What is due for a submission.
enum class Due {
    withdrawal,    // its submitter has been absent for too long
    expiry,        // of the kept response file
    fetching,      // of the answer to a request file: the last moment for that
    output_check,  // of its slow peers
    write,         // retry of a failed one
    read,          // retry of a failed one
};

struct State {
    std::unordered_map<SubmissionId, Waiting> waiting;
    std::unordered_map<Peer, std::unordered_set<SubmissionId>> by_peer;
    // The submissions that a peer has withdrawn while their answers were on their way to it.
    std::unordered_map<Peer, std::unordered_set<SubmissionId>> withdrawn_late;
    std::vector<Peer> hosts;                                   // in the order of their offers
    std::unordered_map<SubmissionId, std::vector<Peer>> slow;  // peers that have not read the answer yet
    std::unordered_map<SubmissionId, Unwritten> unwritten;     // what the disk has not accepted yet
    Timetable<Due> due;
    std::uint64_t last_number = 0;
    // The time that a submitter has to ask again after its connection or request file is gone.
    Duration reconnect_time = std::chrono::seconds(60);
};

// Applies `event` to the state and returns the resulting actions. `now` must not decrease.
std::vector<Action> apply(State& state, const Event& event, Time now);

// The time at which TimePassed is due, if nothing happens before.
std::optional<Time> next_deadline(const State& state);

// The peer that is to host the pool next: of those that offered it, the one whose submission has waited
// longest. Linear in the number of submissions.
std::optional<Peer> next_host(const State& state);

// The submissions whose submitters cannot ask again elsewhere: they gave no id, and wait on a connection.
std::vector<SubmissionId> anonymous(const State& state);

}  // namespace pool::delivery
