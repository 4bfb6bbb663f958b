// What a state log tells of a run whose record does not: how far it got, and whether it has finished.
#pragma once

#include "runs/run_directories.hpp"
#include "workflow/state.hpp"

namespace runs {

// Takes the counts from the state; and the end, if nothing is left.
void take_counts(FoundRun& run, const workflow::State& state);

// Takes them from the run's state log, which is read from its beginning. Changes nothing if a process holds
// it or it cannot be read.
void count_tasks(FoundRun& run);

}  // namespace runs
