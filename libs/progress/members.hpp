// The parts of JSON objects about a run's progress that several messages have: counts, agents, what was used.
// docs/progress.md describes their members. Pure.
#pragma once

#include "progress/model.hpp"
#include "progress/spending.hpp"
#include "progress/table.hpp"

#include <string>

namespace progress {

// The members alone, without braces.
std::string members_of(const Counts& counts);
std::string json_of(const Counts& counts);
std::string json_of(const Agents& agents);
// `model` has the steps of the rows.
std::string json_of(const Spending& spending, const Model& model);

}  // namespace progress
