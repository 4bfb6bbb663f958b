// The command `man`, which every program has: it prints the pages of cli/manual.
#pragma once

#include "cli/manual.hpp"

namespace cli {

// `man [COMMAND...]` prints the page of the program or of that command, `man --list` the names of all. It
// looks at the program when it runs, which has to live until then; what is in its table by then has a page.
Command man_command(const Program& program, Manual manual);

}  // namespace cli
