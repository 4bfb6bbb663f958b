// What a config that is accepted hardly means: steps that nothing leads to, cycles without a way out, steps
// whose schema no value fits or asks for what nobody checks, Pool steps without instructions or a timeout.
// Only what is certain is told. Pure.
#pragma once

#include "config/load.hpp"
#include "config/workflow_config.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace config {

// `config` was read from `text`, whose name in the warnings is `name`. In the order of the text.
Problems warnings(const WorkflowConfig& config, std::string_view text, std::string name);

}  // namespace config
