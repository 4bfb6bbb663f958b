// Counts of what happened to submissions and agents since the daemon's start. The machine counts when it
// decides, because events alone do not show whether a repeated or late one had an effect. At any time,
// submitted + recovered = processed + timed_out + stopped + withdrawn + failed + the number of submissions in
// the state.
#pragma once

#include "pool/histogram.hpp"

#include <cstdint>

namespace pool {

struct Statistics {
    std::uint64_t submitted = 0;
    std::uint64_t recovered = 0;  // assigned to an agent by an earlier daemon
    std::uint64_t processed = 0;
    std::uint64_t timed_out = 0;
    std::uint64_t stopped = 0;
    std::uint64_t withdrawn = 0;
    std::uint64_t failed = 0;       // the agent's command failed, agents died, or the response was too large
    std::uint64_t handed_back = 0;  // by agents that left with a task; each is queued again
    std::uint64_t kicked = 0;       // agents that did not respond in time, or by request
    std::uint64_t died = 0;         // agents that died at work

    Histogram waiting;  // in the queue, once for each assignment that the agent has taken
    // The time in the queue for all assignments, also those that the agent had left before. Never decreases,
    // as scrapers expect it.
    Histogram assigned_after;
    Histogram working;  // with the agent, for processed submissions
};

}  // namespace pool
