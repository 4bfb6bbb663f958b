// The status of a pool: {"kind":"Status"} on the daemon's socket is answered with one JSON document, which
// docs/status.md describes. An addition, which the published daemon does not have. Pure.
#pragma once

#include "base/error.hpp"
#include "base/labels.hpp"
#include "pool_protocol/agent_activity.hpp"
#include "pool_protocol/agent_away.hpp"
#include "pool_protocol/duration_histogram.hpp"
#include "pool_protocol/engine_status.hpp"
#include "pool_protocol/status_counts.hpp"
#include "pool_protocol/unix_time.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pool_protocol {

struct AgentStatus {
    // heartbeat: has not responded to it yet. ending: was told to end its work, and has not yet.
    enum class State { idle, busy, heartbeat, ending };

    std::string id;
    std::string name;  // may be empty
    State state = State::idle;
    std::string submission;            // that it works on; empty if it was withdrawn
    UnixTime since{};                  // in this state
    std::optional<UnixTime> deadline;  // to respond; none if it is idle or has no limit
    base::Labels labels = {};
    std::optional<AgentActivity> activity = {};  // nothing if it has told none
};

struct QueueStatus {
    struct Head {
        std::string submission;
        UnixTime since{};
    };
    // Tasks with the same labels, which no attached agent has had for at least 30 s, or not all of them.
    struct Unmatched {
        base::Labels labels;
        base::Labels missing;  // as in pool_protocol::Unmatched
        std::uint64_t length = 0;
        UnixTime since{};
    };
    std::uint64_t length = 0;
    std::optional<Head> head;  // the first of the queue
    std::vector<Unmatched> unmatched = {};
};

// All are zero if `count` is 0.
struct Latency {
    std::uint64_t count = 0;
    std::chrono::microseconds p50{};
    std::chrono::microseconds p90{};
    std::chrono::microseconds p99{};
    std::chrono::microseconds max{};
};

struct Status {
    std::string pool;
    std::string path;
    std::int64_t pid = 0;
    std::string version = {};       // of its program; empty if the daemon is an older one
    bool program_replaced = false;  // the file of its program was removed or replaced since its start
    UnixTime time{};                // of this status; durations end here
    UnixTime started{};             // of the daemon
    bool draining = false;
    std::vector<AgentStatus> agents;  // in any order
    std::vector<AgentAway> away;      // of the agents that are not attached now, in any order
    QueueStatus queue;
    StatusCounts counts;  // since the start of the daemon
    // The counts of all daemons of the pool; none if this one keeps none, or is an older one.
    std::optional<TotalCounts> total = {};
    Latency waiting;
    Latency working;
    // For monitoring. Empty if the daemon is an older one.
    DurationHistogram queue_wait;             // once for each assignment
    DurationHistogram task_duration;          // with the agent, of processed submissions
    std::optional<EngineStatus> engine = {};  // of a pool over many hosts

    std::size_t agents_in(AgentStatus::State state) const;
};

std::string_view state_name(AgentStatus::State state);

// `with_hosts`: the hosts of the pool are asked, too, if there are others.
std::string status_request(bool with_hosts = false);

struct StatusRequest {
    std::optional<std::string> id;  // the answer contains it
    bool wants_hosts = false;
};
// Nothing if the frame is not a valid status request.
std::optional<StatusRequest> parse_status_request(std::string_view frame);

// One line.
std::string to_json(const Status& status, const std::optional<std::string>& id = std::nullopt);

// Whether the frame is the answer to a status request without an id. Looks at its beginning only.
bool is_status(std::string_view frame);

// errc::operation_not_supported if the answer is that of a daemon without this addition. Unknown fields are
// ignored.
base::Result<Status> parse_status(std::string_view text);

}  // namespace pool_protocol
