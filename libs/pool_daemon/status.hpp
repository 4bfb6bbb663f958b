// From the pool's state to what is told of it: the status document for `troupe status`, and a line for
// systemd. Looks only.
#pragma once

#include "pool/machine.hpp"
#include "pool_daemon/agents.hpp"
#include "pool_protocol/pool_directory.hpp"
#include "pool_protocol/status.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace pool_daemon {

// What the state doesn't know.
struct StatusFacts {
    pool_protocol::PoolDirectory directory;
    pool::Time started;
    std::uint64_t invalid = 0;  // submissions that were refused
};

// At `now`, which is `calendar_now` by the calendar. Touches each agent once.
pool_protocol::Status describe(const pool::State& state, const Agents& agents, const StatusFacts& facts,
                               pool::Time now, std::chrono::system_clock::time_point calendar_now);

// "draining: 2 agents, 1 of them busy; 0 tasks waiting"
std::string summary(const pool::State& state);

}  // namespace pool_daemon
