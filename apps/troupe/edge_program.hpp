// The program troupe-edge: `troupe` with a client of the engine, and so with its libraries, which the other
// commands, started once for each task, need not load.
#pragma once

#include "base/error.hpp"

namespace troupe {

// Goes on as troupe-edge, with the same arguments, descriptors and process id. Returns only if that is
// impossible: the program is searched beside this one, and in ../libexec/barnum from there.
base::Error become_edge_program();

}  // namespace troupe
