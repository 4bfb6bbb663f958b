// Reads the options of a workflow and of a step. Internal to config/load.
#pragma once

#include "config/fields.hpp"
#include "config/problem_list.hpp"
#include "config/workflow_config.hpp"
#include "json/json.hpp"

#include <cstdint>
#include <optional>

namespace config {

// The options of `fields`; those that are absent are inherited.
StepOptions read_options(const FieldValues& fields, StepOptions inherited, ProblemList& problems);

// What only a step's own options say: its place in the order of tasks.
void read_order(const FieldValues& fields, StepOptions& options, ProblemList& problems);

// Whether retries are allowed by `options` (an object) or, if it does not say, by `inherited`. An invalid
// "max_retries" counts as yes, so that it does not cause a second message.
bool allows_retries(json::View options, bool inherited);

std::optional<std::uint32_t> read_max_concurrency(const FieldValues& fields);

std::optional<BudgetLimits> read_budget(const FieldValues& fields, ProblemList& problems);

Bounds read_bounds(const FieldValues& fields);

}  // namespace config
