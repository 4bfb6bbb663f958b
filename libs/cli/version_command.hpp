// The command `version`, which every program has.
#pragma once

#include "cli/command_line.hpp"

#include <string>

namespace cli {

Command version_command(const std::string& program, const std::string& version);

}  // namespace cli
