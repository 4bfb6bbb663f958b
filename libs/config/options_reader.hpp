// Options of a workflow and of a step (R20). Inner part of config/load.
#pragma once

#include "base/json.hpp"
#include "config/fields.hpp"
#include "config/problem_list.hpp"
#include "config/workflow_config.hpp"

#include <cstdint>
#include <optional>

namespace config {

// `inherited`, with what `fields` say put over it.
StepOptions read_options(const FieldValues& fields, StepOptions inherited, ProblemList& problems);

std::optional<std::uint32_t> read_max_concurrency(const FieldValues& fields, ProblemList& problems);

}  // namespace config
