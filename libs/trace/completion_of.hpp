// What a trace keeps of the end of an attempt. Internal to the trace.
#pragma once

#include "statelog/record.hpp"
#include "trace/trace.hpp"

#include <optional>

namespace trace {

// NaN if it is unknown.
double milliseconds_of(std::optional<statelog::Time> time);

// A TaskCompleted without its row, its offset, its agent and its first child.
Completion completion_of(const statelog::Record& record);

}  // namespace trace
