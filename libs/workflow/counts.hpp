// How many tasks and finallys of a run there are, by what has become of them. Pure.
#pragma once

#include "workflow/state.hpp"

#include <cstdint>
#include <vector>

namespace workflow {

// How many have ended, done or dropped: the sum of these columns in the table of the steps.
std::uint64_t tasks_ended(const std::vector<StepCounters>& steps);

struct Counts {
    std::uint64_t done = 0;
    std::uint64_t left = 0;  // waiting or running
    std::uint64_t dropped = 0;
};
// Counts the tasks and finallys.
Counts counts_of(const State& state);

}  // namespace workflow
