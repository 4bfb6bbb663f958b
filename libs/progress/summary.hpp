// Progress as one line, for logs. Pure.
#pragma once

#include "progress/table.hpp"

#include <optional>
#include <string>

namespace progress {

// "after 0:30: 133 done, 2 dropped, 98 waiting, 9 at the pool, 3 running; 1 retry; 6.1/s; 2 of 3 agents busy;
// spent $0.31; by step: …; by agent: …; by model: …; longest: task 12 Measure for 0:28 (pool)"
std::string summary_line(const Model& model, std::optional<Agents> agents,
                         const std::optional<Spending>& spending, Time now);

}  // namespace progress
