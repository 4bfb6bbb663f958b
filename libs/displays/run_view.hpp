// Prints on stdout what a run sends to its viewers.
#pragma once

#include "io/unique_fd.hpp"
#include "runs/control_message.hpp"

#include <optional>

namespace displays {

struct ViewEnd {
    std::optional<int> exit_code = {};  // of the run; none if the connection ended without it
    int signal = 0;                     // that ended the view: SIGINT or SIGTERM; 0: none
};

// Shows the run until it or the connection ends, a signal comes, or stdout cannot be written. The size in
// `wish` is replaced by that of the terminal.
ViewEnd view_run(io::UniqueFd connection, runs::Attach wish);

}  // namespace displays
