// Which tasks of a large run a report contains. Depends on the trace alone: the same run gives the same
// sample. Pure.
#pragma once

#include "trace/trace.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace trace {

struct SampleLimits {
    std::size_t tasks = 100'000;
    std::size_t rows = 200'000;   // attempts
    std::size_t slowest = 1'000;  // of the tasks
};

struct Sample {
    std::vector<Row> rows;  // ascending: all attempts of the tasks that are contained
    std::size_t tasks = 0;  // how many are contained
    std::size_t of = 0;     // how many there are
    std::string rule;       // a sentence; empty if all tasks are contained
};

// All tasks, or if there are more than the limits allow: those with a failed attempt, or if these are too
// many, the first of them of each step and reason; then the slowest; and for the rest as many as possible of
// each step, evenly spaced in the order of the log.
Sample sample_of(const Trace& trace, const SampleLimits& limits = {});

}  // namespace trace
