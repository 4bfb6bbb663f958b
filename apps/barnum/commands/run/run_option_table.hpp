// The options of `barnum run`, and those of every command of `barnum`: declared here and nowhere else.
#pragma once

#include "commands/run/run_option.hpp"

#include <vector>

namespace barnum {

const std::vector<RunOption>& run_option_table();
const std::vector<RunOption>& global_option_table();

// The rows of both tables, in this order.
std::vector<RunOption> all_run_options();

const cli::Option& resume_from_option();

}  // namespace barnum
