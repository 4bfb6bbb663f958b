// How a pool is, as its daemon tells whoever asks on its socket: {"kind":"Status"} is answered with one JSON
// document, which docs/status.md describes. An addition of ours to the protocol: a published daemon knows
// nothing of it. Pure.
#pragma once

#include "base/error.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pool_protocol {

using UnixTime = std::chrono::milliseconds;  // since the epoch

struct AgentStatus {
    // heartbeat: asked whether it is still there. ending: told to end its work, and has not yet.
    enum class State { idle, busy, heartbeat, ending };

    std::string id;
    std::string name;  // may be empty
    State state = State::idle;
    std::string submission;            // what it has; empty once that was withdrawn
    UnixTime since{};                  // in this state
    std::optional<UnixTime> deadline;  // to respond; none for one that is idle or has no limit
};

struct QueueStatus {
    struct Head {
        std::string submission;
        UnixTime since{};
    };
    std::uint64_t length = 0;
    std::optional<Head> head;  // the next to go out
};

// Since the daemon's start.
struct StatusCounts {
    std::uint64_t submitted = 0;
    std::uint64_t recovered = 0;
    std::uint64_t processed = 0;
    std::uint64_t timed_out = 0;
    std::uint64_t stopped = 0;
    std::uint64_t withdrawn = 0;
    std::uint64_t invalid = 0;  // never submitted: refused
    std::uint64_t handed_back = 0;
    std::uint64_t kicked = 0;
    std::uint64_t failed = 0;
    std::uint64_t died = 0;  // agents, at work
};

// All of them nothing when `count` is 0.
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
    UnixTime time{};     // now; every duration is up to here
    UnixTime started{};  // the daemon
    bool draining = false;
    std::vector<AgentStatus> agents;  // in no order
    QueueStatus queue;
    StatusCounts counts;
    Latency waiting;
    Latency working;

    std::size_t agents_in(AgentStatus::State state) const;
};

std::string_view state_name(AgentStatus::State state);

std::string status_request();

struct StatusRequest {
    std::optional<std::string> id;  // the answer carries it
};
// Nothing if the frame is something else, or not quite right.
std::optional<StatusRequest> parse_status_request(std::string_view frame);

// One line.
std::string to_json(const Status& status, const std::optional<std::string>& id = std::nullopt);

// errc::operation_not_supported when it is the answer of a daemon that knows no status. Fields that are not
// known are ignored.
base::Result<Status> parse_status(std::string_view text);

}  // namespace pool_protocol
