// Warnings about a valid config that is probably not as intended: unreachable steps, cycles without an exit
// or a bound, schemas that no value satisfies or that are partly unchecked, Pool steps without instructions
// or a timeout, agents with all permissions, labels that none of the agents has,
// variables that no script gets. Warns only if certain. Pure.
#pragma once

#include "config/load.hpp"
#include "config/workflow_config.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace config {

// `config` was read from `text`, which the warnings call `name`. They are in the order of the text.
Problems warnings(const WorkflowConfig& config, std::string_view text, std::string name);

}  // namespace config
