// Describes the state of a pool: the status document for `troupe status`, and a line for systemd. Changes
// nothing.
#pragma once

#include "pool/machine.hpp"
#include "pool_daemon/agents.hpp"
#include "pool_protocol/pool_directory.hpp"
#include "pool_protocol/status.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace pool_daemon {

// Facts that the state does not contain.
struct StatusFacts {
    pool_protocol::PoolDirectory directory;
    std::chrono::system_clock::time_point started;
    std::uint64_t invalid = 0;  // refused submissions
    std::vector<pool_protocol::AgentAway> away;
};

// `invalid`: the refused submissions, which the statistics do not contain.
pool_protocol::StatusCounts counts_of(const pool::Statistics& statistics, std::uint64_t invalid);

// `now` and `calendar_now` are the same moment. Linear in the number of agents.
pool_protocol::Status describe(const pool::State& state, const Agents& agents, const StatusFacts& facts,
                               pool::Time now, std::chrono::system_clock::time_point calendar_now);

// "draining: 2 agents, 1 of them busy; 0 tasks waiting"
std::string summary(const pool::State& state);

}  // namespace pool_daemon
