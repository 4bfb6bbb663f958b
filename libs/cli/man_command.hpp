// The command `man`, which every program has: prints the pages of cli/manual.
#pragma once

#include "cli/manual.hpp"

namespace cli {

// `man [COMMAND...]` prints the page of the program or of that command, `man --list` the names of all pages.
// `program` must outlive the command, which reads the table when it runs, so that it finds all commands.
Command man_command(const Program& program, Manual manual);

}  // namespace cli
