// `barnum config validate | docs | graph | schema`: looks at configs, and runs nothing of them.
#pragma once

#include "cli/command_line.hpp"

namespace barnum {

cli::Command config_command();

}  // namespace barnum
