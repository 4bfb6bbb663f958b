// `barnum todo`: the tasks of all runs that wait for a person.
#pragma once

#include "cli/command_line.hpp"

namespace barnum {

cli::Command todo_command();

}  // namespace barnum
