// Finds the run that a RUN on a command line names (docs/runs.md, "Naming a run").
#pragma once

#include "base/error.hpp"
#include "cli/option.hpp"
#include "runs/run_directories.hpp"
#include "runs/run_state.hpp"

#include <optional>
#include <string>
#include <vector>

namespace barnum {

struct NamedRun {
    std::string log;                      // the path of its state log
    std::optional<runs::FoundRun> found;  // none if the log has no record of its run
};

// `reference` is an id or a part of one, a name, "last", "@", a run's directory, or the path of a state log.
// What exists as a path is taken for one, but a directory of no run, whose name may be that of a run.
base::Result<NamedRun> find_named_run(const std::string& reference);

// The run that has written this log: that of its directory, or one of this user's runs. `log` may be
// relative, or lead there by links. None if the log has no record.
std::optional<runs::FoundRun> run_of_log(const std::string& log);

// The same for a log that was moved, so that no record leads to it: of the runs that began with this one, the
// newest, if its log is not at its place any more.
std::optional<runs::FoundRun> run_of_moved_log(const std::string& first_run_id);

// False for a run of an earlier version, which has only a state log.
bool has_directory(const runs::FoundRun& run);

// The newest state log that continues this one: of a run with a record, or in the same directory.
std::optional<std::string> later_log_of(const std::string& log);

// Whether the run goes on now; its record is read again.
bool is_alive(const runs::FoundRun& run);

// Known by its process, and by the lock of its state log.
runs::Liveness liveness_of(const runs::RunRecord& record);

// The state of the run by itself: never RunState::resumed. The record of a run whose process is gone is read
// again, since the run may have ended after it was read.
runs::RunState own_state(runs::FoundRun& run);

// The records of the other runs that are running with the same config file in the same directory.
std::vector<runs::RunRecord> living_runs_like(const runs::RunRecord& own);

// For completion: the ids of all runs with their names and states, and files.
cli::Completion run_candidates(const cli::Line& line);

// The argument RUN of a command. `what` says which run it names: "the run to show". The list may name
// several.
cli::Option run_argument(const std::string& what);
cli::Option run_list_argument(const std::string& what);

// The state of each of the runs, which are all that there are. Reads records again as own_state() does.
std::vector<runs::RunState> current_states(std::vector<runs::FoundRun>& found);

}  // namespace barnum
