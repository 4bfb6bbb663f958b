// Progress as lines for a terminal: a headline, a row for each step, the longest-running tasks. Pure.
#pragma once

#include "progress/model.hpp"
#include "terminal/size.hpp"

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
};

struct DisplayOptions {
    terminal::Size size;
    bool colored = false;
};

// At most size.rows - 1 lines, none wider than size.columns - 1. If there are too many steps, rows are
// omitted in this order: steps without tasks, finished ones, those whose tasks only wait. The rows keep the
// order of the config, and a line says how many are omitted. A narrow terminal gets fewer columns.
std::vector<std::string> table(const Model& model, std::optional<Agents> agents, Time now,
                               DisplayOptions options);

// The final table of a run: all steps that had tasks, with any number of rows, cut to the width.
std::vector<std::string> final_table(const Model& model, Time now, DisplayOptions options);

// "2 of 3 agents busy", "0 of 2 agents busy, 1 resting", "no agents"
std::string agents_text(const Agents& agents);

}  // namespace progress
