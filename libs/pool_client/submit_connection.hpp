// How submissions reach a pool: when to look for it, by which route to send, what to send again after a loss,
// when to give up, and when to report an outage. Pure: no clock, no sockets, no files, no contents, no texts
// of answers. The submitter turns what it sees into events and carries out the actions.
#pragma once

#include "pool_protocol/ids.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <variant>
#include <vector>

namespace pool_client::connection {

using Time = std::chrono::steady_clock::time_point;
using Duration = std::chrono::milliseconds;
// No two open submissions have the same one.
using pool_protocol::SubmissionId;

// The delay between two looks for a pool that is not served.
inline constexpr Duration look_delay{50};

enum class Transport {
    automatic,  // socket; files if the sandbox denies the socket
    socket,
    file,
};

// How requests are sent. Found out anew after each outage.
enum class Route {
    shared_connection,  // one for all submissions; answers have ids
    own_connections,    // one for each submission: the published daemon answers one request per connection
    files,
};

struct Settings {
    Transport transport = Transport::automatic;
    Duration pool_wait{10'000};  // how long to look for a pool that is not served, in each search
    bool outlives_pool = false;  // a submission that is answered `stopped` is sent to the next daemon
};

// ---- events: what has happened ----

struct Submitted {
    SubmissionId submission;
};
// Its caller does not want the answer any more.
struct Withdrawn {
    SubmissionId submission;
};
// Look has found the pool, and has connected to it if the route is a connection.
struct PoolFound {
    Route route;
};
// Look has found the pool, but this process may not use its socket.
struct SocketDenied {};
// Look has not found the pool, or could not connect to it.
struct PoolMissing {
    bool may_come = true;  // looking again may help
};
// What Send has sent over the shared connection.
struct Sent {
    SubmissionId submission;
    std::size_t bytes = 0;
};
struct Answered {
    // None: the answer has none, because the daemon has not read the request, which exceeds its limit.
    std::optional<SubmissionId> submission;
    bool is_stopped = false;  // the answer is `stopped`
};
// The shared connection has ended.
struct ConnectionLost {};
// The submission's own connection could not be made, or has ended without an answer.
struct OwnConnectionLost {
    SubmissionId submission;
};
// The request file can't be written, or the response file can't be understood.
struct FileFailed {
    SubmissionId submission;
};
// The daemon that AwaitDaemonEnd is about does not serve the pool any more.
struct DaemonGone {};
// next_deadline() is due.
struct TimePassed {};

using Event = std::variant<Submitted, Withdrawn, PoolFound, SocketDenied, PoolMissing, Sent, Answered,
                           ConnectionLost, OwnConnectionLost, FileFailed, DaemonGone, TimePassed>;

// ---- actions: what the submitter is to do, in this order ----

// Look once whether the pool is there. To be followed by PoolFound, SocketDenied or PoolMissing.
struct Look {
    bool uses_socket = true;  // connect, too; otherwise the route that is found is `files`
};
// Send the request. Over the shared connection, to be followed by Sent.
struct Send {
    SubmissionId submission;
    Route route;
};
// Tell the daemon over the shared connection that the answer is not wanted any more.
struct SendWithdrawal {
    SubmissionId submission;
};
// Find out when the daemon that was found last, by the route `files`, does not serve the pool any more. To be
// followed by one DaemonGone, however often it is repeated.
struct AwaitDaemonEnd {};
// Give the answer that has just come to the submission's caller.
struct Deliver {
    SubmissionId submission;
};
// Give the last error to the submission's caller.
struct Fail {
    SubmissionId submission;
};
// Files are used because the socket is denied; the last error says why.
struct ReportFallback {};
// Nobody waits for the answer that has just come.
struct DiscardAnswer {};
enum class Outage {
    not_found,  // the last error says why
    lost,       // the pool was stopped, or the connection lost
};
struct ReportOutage {
    Outage outage;
};

using Action = std::variant<Look, Send, SendWithdrawal, AwaitDaemonEnd, Deliver, Fail, DiscardAnswer,
                            ReportFallback, ReportOutage>;

// ---- state ----

enum class Stage {
    waiting,  // for a route
    sent,     // and neither answered nor lost
    stopped,  // answered `stopped`; waits for the end of the shared connection, or of the daemon
};

struct OpenSubmission {
    std::uint64_t number = 0;  // in the order of submission
    Stage stage = Stage::waiting;
    // Over which it was last sent. One that has a connection of its own may outlast the submitter's route.
    Route route{};
    std::uint64_t route_number = 0;
    std::size_t bytes = 0;  // of the request on the shared connection
    // The shared connection was lost before an answer: an agent may have it, and the next daemon its answer.
    bool may_be_at_work = false;
};

struct Search {
    Time end;                       // a look at or after this time is the last one
    std::optional<Time> next_look;  // none while a look is under way
};

struct State {
    Settings settings{};
    std::unordered_map<SubmissionId, OpenSubmission> open{};
    std::optional<Route> route{};    // none: the pool was not looked for yet, or was lost
    std::uint64_t route_number = 0;  // how many routes were found
    std::optional<Search> search{};  // only while there is no route
    bool is_outage_reported = false;
    std::uint64_t last_number = 0;
};

// Applies `event` to the state and returns the resulting actions. `now` must not decrease.
std::vector<Action> apply(State& state, const Event& event, Time now);

// The submissions that neither a daemon nor an agent has: those that were not sent yet, and those that were
// answered `stopped`.
std::vector<SubmissionId> unassigned(const State& state);

// The time at which TimePassed is due, if nothing happens before.
std::optional<Time> next_deadline(const State& state);

}  // namespace pool_client::connection
