// Waits for the end of a run that another process executes.
#pragma once

#include "base/error.hpp"
#include "runs/run_directories.hpp"
#include "runs/run_state.hpp"

#include <chrono>
#include <string>

namespace runs {

// How a run is ended at once: SIGTERM; after this time, SIGTERM again, because two signals that follow each
// other more closely count as one; and if the run has not ended after `longest_end`, SIGKILL.
inline constexpr std::chrono::milliseconds between_signals{200};
inline constexpr std::chrono::seconds longest_end{5};

// The run that a RUN names, if it has a record. Otherwise an error.
base::Result<FoundRun> find_recorded_run(const std::string& reference);

struct EndedRun {
    RunRecord record;
    RunState state;
};

// Blocks until the process of the run has ended, and what ends the commands of a killed one. Returns at once
// if it has, also if another run continues it. Fails if the run's directory was removed meanwhile.
base::Result<EndedRun> wait_for_end(const FoundRun& run);

// What to say of a run whose process is not there: "the run 7d1c… is not running: its state is finished". If
// another run continues it, the text names that one.
std::string why_not_running(FoundRun run);

// A run in the state RunState::resumed: "it was killed, and the run 9a03… continues it: name that one".
std::string continuation_text(const RunRecord& record);

// The exit code of the run's process; if that was killed, that of SIGKILL.
int exit_code_of(const EndedRun& run);

// "finished", "failed (budget_spent)"
std::string state_text(const RunRecord& record, RunState state);

}  // namespace runs
