// The progress of a living run at one moment, as a JSON object for programs that show it (docs/runs.md, "The
// control socket"). Its length depends on the number of steps, and not on that of the tasks. Pure.
#pragma once

#include "progress/events.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace progress {

// How many running tasks a state names, and how many tasks that wait for a person: those that are longest.
inline constexpr std::size_t most_named_tasks = 500;

// `time` and `now` are the same moment.
std::string state(WallTime time, const Model& model, const std::optional<Agents>& agents,
                  const std::optional<Spending>& spending, Time now);

}  // namespace progress
