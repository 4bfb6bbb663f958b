// Progress as lines for a terminal: a headline, a row for each step, what kinds of agents and models have
// used, the longest-running tasks. Pure.
#pragma once

#include "progress/model.hpp"
#include "progress/spending.hpp"
#include "terminal/size.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace progress {

// The agents of the pool, if the run knows them.
struct Agents {
    std::size_t idle = 0;
    std::size_t busy = 0;
    std::size_t resting = 0;   // the run's own agents, after a failure
    std::string standstill{};  // the reason why none of the run's own agents works; empty if one does
    std::size_t parked = 0;    // the run's own agents whose account has reached a usage limit
    // When the first of them is back, and the time of these figures, since the epoch.
    std::chrono::milliseconds parked_until{};
    std::chrono::milliseconds time{};
};

struct DisplayOptions {
    terminal::Size size;
    bool colored = false;
};

// At most size.rows - 1 lines, none wider than size.columns - 1. If there are too many steps, rows are
// omitted in this order: steps without tasks, finished ones, those whose tasks only wait. The rows keep the
// order of the config, and a line says how many are omitted. A narrow terminal gets fewer columns.
std::vector<std::string> table(const Model& model, std::optional<Agents> agents,
                               const std::optional<Spending>& spending, Time now, DisplayOptions options);

// The final table of a run: all steps that had tasks, with any number of rows, cut to the width.
std::vector<std::string> final_table(const Model& model, Time now, DisplayOptions options);

// "2 of 3 agents busy", "0 of 4 agents busy, 1 resting, 2 parked until 14:05:00", "no agents"
std::string agents_text(const Agents& agents);

}  // namespace progress
