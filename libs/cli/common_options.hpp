// The options that every command of both programs has.
#pragma once

#include "cli/option.hpp"

namespace cli {

Option root_option();
Option log_level_option();
Option log_format_option();
Option help_option();

}  // namespace cli
