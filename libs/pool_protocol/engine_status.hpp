// The part of a pool's status that tells of the engine and of other hosts (docs/status.md, docs/hosts.md).
// Pure.
#pragma once

#include "base/labels.hpp"
#include "json/json.hpp"
#include "pool_protocol/unix_time.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pool_protocol {

// What has happened since the daemon's start.
struct EngineCounts {
    std::uint64_t claimed = 0;          // tasks that this host has got
    std::uint64_t surplus = 0;          // deliveries for which there was no agent any more
    std::uint64_t redelivered = 0;      // deliveries of tasks that another host had claimed
    std::uint64_t released = 0;         // tasks that were handed back to the engine
    std::uint64_t owners_lost = 0;      // tasks whose host was found to be lost
    std::uint64_t leases_lost = 0;      // tasks that were taken from agents here
    std::uint64_t late_answers = 0;     // that were refused
    std::uint64_t published = 0;        // tasks of this host's submitters
    std::uint64_t published_again = 0;  // of these, tasks that the engine had lost or did not deliver

    friend bool operator==(const EngineCounts&, const EngineCounts&) = default;
};

// A host of the pool, as it tells of itself. The rest is as in EngineStatus.
struct HostStatus {
    std::string edge;
    std::uint64_t idle = 0;  // agents
    std::uint64_t busy = 0;
    std::uint64_t leases = 0;
    std::uint64_t submissions = 0;
    // A duration, because the clocks of hosts differ.
    std::optional<std::chrono::milliseconds> connected_for = {};
    std::optional<std::chrono::microseconds> lag = {};
    EngineCounts counts = {};
    // The labels of its agents, those that rest among them: each set once. None: it did not say.
    std::optional<std::vector<base::Labels>> labels = {};

    friend bool operator==(const HostStatus&, const HostStatus&) = default;
};

struct EngineStatus {
    std::string name;  // "nats://h1:4222"
    std::string edge;  // the id of this host
    bool is_connected = false;
    std::optional<UnixTime> since;  // it is connected, or has lost the connection; none: it never was
    std::string problem;            // why it is not connected; empty if it is
    std::uint64_t leases = 0;       // tasks of the engine that this host has
    std::uint64_t submissions = 0;  // tasks of this host's submitters
    // The ids of those that other hosts have.
    std::vector<std::string> elsewhere;
    std::uint64_t kept_answers = 0;  // of agents here, which the engine has not got yet
    EngineCounts counts;
    std::vector<HostStatus> hosts;  // of the pool, in any order; empty if they were not asked
    // How long the engine took for the last request that was measured, or takes for one that it has not
    // answered yet; none without a connection.
    std::optional<std::chrono::microseconds> lag = {};

    friend bool operator==(const EngineStatus&, const EngineStatus&) = default;
};

std::string to_json(const HostStatus& host);
std::string to_json(const EngineStatus& engine);
// Members that are absent or of another type read as zero or empty.
HostStatus read_host_status(json::View host);
EngineStatus read_engine_status(json::View engine);

}  // namespace pool_protocol
