// The options of `barnum run` that bound it.
#pragma once

#include "commands/run/run_option.hpp"

#include <vector>

namespace barnum {

std::vector<RunOption> bound_options();

}  // namespace barnum
