// `barnum answer`: a person answers a task of a Human step.
#pragma once

#include "cli/command_line.hpp"

namespace barnum {

cli::Command answer_command();

}  // namespace barnum
