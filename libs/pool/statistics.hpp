// What has become of submissions and agents since the daemon's start. The machine counts here as it decides:
// from events alone it can't be told whether one that comes twice or too late had an effect. At any time
// submitted + recovered = processed + timed_out + stopped + withdrawn + failed + those in the state.
#pragma once

#include "pool/histogram.hpp"

#include <cstdint>

namespace pool {

struct Statistics {
    std::uint64_t submitted = 0;
    std::uint64_t recovered = 0;  // with an agent since an earlier daemon's time
    std::uint64_t processed = 0;
    std::uint64_t timed_out = 0;
    std::uint64_t stopped = 0;
    std::uint64_t withdrawn = 0;
    std::uint64_t failed = 0;  // answered so: the agent's command failed, agents died, too large a response
    std::uint64_t handed_back = 0;  // by agents that left with a task; each is queued again
    std::uint64_t kicked = 0;       // agents that did not answer in time
    std::uint64_t died = 0;         // agents that died at work

    Histogram waiting;  // in the queue, one for each time that a submission went to an agent
    Histogram working;  // with the agent, of those that were processed
};

}  // namespace pool
