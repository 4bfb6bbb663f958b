// Progress as lines for a terminal: a headline, a row a step, the tasks that run for longest. Pure.
#pragma once

#include "progress/model.hpp"
#include "terminal/size.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace progress {

// Agents of the pool, where the run knows them.
struct Agents {
    std::size_t idle = 0;
    std::size_t busy = 0;
    std::size_t resting = 0;   // the run's own, after a failure
    std::string standstill{};  // why none of the run's own is at work; empty if some are
};

struct Look {
    terminal::Size size;
    bool colored = false;
};

// At most size.rows - 1 lines, none wider than size.columns - 1. Where not all steps fit, those are left out
// first of which there is nothing to tell: without tasks, then those that are through, then those where tasks
// only wait; the others stay in the config's order, and a line says how many are left out. A narrow terminal
// gets fewer columns.
std::vector<std::string> table(const Model& model, std::optional<Agents> agents, Time now, Look look);

// The last one of a run, to stay: all steps that had tasks, however many rows that takes; cut to the width.
std::vector<std::string> final_table(const Model& model, Time now, Look look);

// "2 of 3 agents busy", "0 of 2 agents busy, 1 resting", "no agents"
std::string agents_text(const Agents& agents);

}  // namespace progress
