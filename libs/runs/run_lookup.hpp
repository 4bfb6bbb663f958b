// Finds the run that a RUN on a command line names (docs/runs.md, "Naming a run").
#pragma once

#include "base/error.hpp"
#include "runs/run_directories.hpp"
#include "runs/run_state.hpp"

#include <optional>
#include <string>
#include <vector>

namespace runs {

struct NamedRun {
    std::string log;                // the path of its state log
    std::optional<FoundRun> found;  // none if the log has no record of its run
};

// `reference` is an id or a part of one, a name, "last", "@", a run's directory, or the path of a state log.
// What exists as a path is taken for one, but a directory of no run, or a file that is no state log, whose
// name may be that of a run.
base::Result<NamedRun> find_named_run(const std::string& reference);

// The run that has written this log: that of its directory, or one of this user's runs. `log` may be
// relative, or lead there by links. None if the log has no record.
std::optional<FoundRun> run_of_log(const std::string& log);

// The run that has written a log which was moved, so that no record leads to it: of the runs that began with
// `first_run_id`, the newest, if its log is not at its place any more.
std::optional<FoundRun> run_of_moved_log(const std::string& first_run_id);

// False for a run of an earlier version, which has only a state log.
bool has_directory(const FoundRun& run);

// The newest state log that continues this one: of a run with a record, or in the same directory.
std::optional<std::string> later_log_of(const std::string& log);

// The run that continues the run with this id; the newest one, if others continue that.
std::optional<FoundRun> run_that_continues(const std::string& id);

// Whether the run goes on now; its record is read again. A run that another one continues does not.
bool is_alive(const FoundRun& run);

// Known by its process, and by the lock of its state log.
Liveness liveness_of(const RunRecord& record);

// The state of the run, as all commands tell it. Reads its record again as own_state() does, and those of
// the other runs if its process is gone.
RunState current_state(FoundRun& run);

// The state of the run by itself: never RunState::resumed. Of a run that another one continues it is not
// right, since that one holds the lock of both logs. The record of a run whose process is gone is read
// again, since the run may have ended after it was read.
RunState own_state(FoundRun& run);

// The records of the other runs that are running with the same config file in the same directory.
std::vector<RunRecord> living_runs_like(const RunRecord& own);

// The state of each of the runs, which are all that there are. Reads records again as own_state() does.
std::vector<RunState> current_states(std::vector<FoundRun>& found);

}  // namespace runs
