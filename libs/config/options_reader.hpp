// Options of a workflow and of a step. Inner part of config/load.
#pragma once

#include "config/fields.hpp"
#include "config/problem_list.hpp"
#include "config/workflow_config.hpp"
#include "json/json.hpp"

#include <cstdint>
#include <optional>

namespace config {

// `inherited`, with what `fields` say put over it.
StepOptions read_options(const FieldValues& fields, StepOptions inherited, ProblemList& problems);

// Whether `options` (an object), with the inherited answer under it, allow a retry. A "max_retries" that is a
// mistake counts as one that does: nothing else is to be told of it.
bool allows_retries(json::View options, bool inherited);

std::optional<std::uint32_t> read_max_concurrency(const FieldValues& fields);

}  // namespace config
