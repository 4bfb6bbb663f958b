// A resume from a log that was cut at some byte, held against the model at every turn.
#pragma once

#include "life.hpp"
#include "log_model.hpp"
#include "must.hpp"

#include <cstddef>
#include <vector>

namespace sim {

// A replay of the first `bytes` of some log.
struct Fed {
    statelog::Replay replay;
    std::size_t bytes = 0;
};

struct Resumed {
    Fed fed;         // with the part of the log that counts
    Log log;         // that part
    LogModel model;  // of it
};

// How many lines are whole in the first `cut` bytes, of those after the header.
std::size_t whole_lines(const Log& log, std::size_t cut);

// Checks what a replay of the first `cut` bytes says of their end, when `count` entries are to count.
void check_tail(const Log& log, std::size_t cut, std::size_t count, const statelog::Tail& tail);

// Checks the state of a resumed run.
void check_state(const Standing& standing, const workflow::State& state);

// Breaks the log off at `cut`, which is not in its initial records, and replays it, from `before` on, which
// has been fed no more than that. Throws Broken if what is found is not what the document says.
Resumed resume(const Workload& workload, const Log& log, std::size_t cut, const Fed& before);

// Lives on from there; `order` as of a Life.
Life live_on(const Workload& workload, const Resumed& resumed, std::uint64_t order);

// Checks that nothing is left to be done.
void check_is_over(const LogModel& model);

// Checks the log of a run that was resumed and has come to its end: `resumed` is what its life began with,
// `done` what was done in the life that was not broken off.
void check_end(const Resumed& resumed, const Log& log, const std::vector<std::uint64_t>& done);

}  // namespace sim
