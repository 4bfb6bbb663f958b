// The mark of the processes that a run has started on its own machine. Plain data.
#pragma once

#include "process/marked_processes.hpp"

#include <string>

namespace runner {

// The variables by which a run's guard finds them. BARNUM_RUN_ID alone would also find commands of the run
// that an agent of others runs on this machine: these are the agent's, which outlives the run.
inline process::Environment run_mark(const std::string& run_id) {
    return {{"BARNUM_RUN_PROCESS", run_id}};
}

}  // namespace runner
