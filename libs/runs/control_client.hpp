// Talks to a living run over its control socket.
#pragma once

#include "base/error.hpp"
#include "io/unique_fd.hpp"
#include "runs/control_message.hpp"
#include "runs/run_directories.hpp"

namespace runs {

// A connection. Fails if the run is not living, or has no control socket.
base::Result<io::UniqueFd> connect_to_run(const FoundRun& run);

// Logs a line if the run's process is stopped, and so says and does nothing.
void tell_of_stop(const RunRecord& run);

// Sends the request and waits for the answer, for 30 s at most; after that, the run does not carry it out any
// more. A refusal is an error. Logs a line if the run's process is stopped.
base::Result<std::string> ask_run(const FoundRun& run, const ControlRequest& request);

}  // namespace runs
