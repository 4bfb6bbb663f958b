// `barnum config validate | docs | graph | schema`: reads configs; runs none of their commands.
#pragma once

#include "cli/command_line.hpp"

namespace barnum {

cli::Command config_command();

}  // namespace barnum
