// The state of a run, as `barnum ps` shows it. Pure.
#pragma once

#include "runs/run_record.hpp"

#include <string_view>

namespace runs {

enum class RunState {
    running,
    paused,       // its process lives, and starts nothing
    finished,     // all tasks are done
    failed,       // it has finished with dropped tasks, or could not go on
    waiting,      // it has ended, and only tasks for people are left
    interrupted,  // by a signal
    lost,         // its process is gone, and no end was recorded
    resumed,      // it did not finish, and another run continues it
    damaged,      // it does not live, and its record cannot be read
};

// Whether the process that the record names lives: it holds the lock of the state log.
enum class Liveness { alive, dead };

// `is_resumed`: another record names this run as the one that it resumes.
RunState state_of(const RunRecord& record, Liveness liveness, bool is_resumed);

// Running or paused.
bool is_living(RunState state);

// Whether something is left that a resumed run could do. Of a damaged one, an end means that its state log
// was read, and nothing is left.
bool is_resumable(const RunRecord& record, RunState state);

std::string_view state_name(RunState state);  // "running"

}  // namespace runs
