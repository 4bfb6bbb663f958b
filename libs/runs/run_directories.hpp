// The directories of this user's runs:
// ${BARNUM_RUNS:-${XDG_STATE_HOME:-~/.local/state}/barnum/runs}/<run-id>/, each with a run.json.
#pragma once

#include "base/error.hpp"
#include "runs/run_record.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace runs {

// The absolute path of the directory that contains those of all runs. Fails if BARNUM_RUNS is not set and
// there is no home directory. Creates nothing.
base::Result<std::string> runs_path();

// The name of the record in a run's directory.
inline constexpr const char* record_name = "run.json";

class RunDirectory {
  public:
    // Creates that of a new run with mode 0700, and missing directories above it.
    static base::Result<RunDirectory> create(const std::string& run_id);
    // That of a run which is there.
    explicit RunDirectory(std::string path) : path_(std::move(path)) {}

    const std::string& path() const { return path_; }
    // Replaces run.json atomically. Is not synced: after a power failure an older one may be there, or none.
    base::Result<void> write(const RunRecord& record) const;
    // Makes what was written last survive a power failure.
    base::Result<void> sync() const;

  private:
    std::string path_;
};

struct FoundRun {
    std::string path;  // of its directory
    RunRecord record;
};

// The run with this directory; none if it has no readable run.json.
std::optional<FoundRun> read_run(const std::string& path);

// All runs with a readable run.json, in the order of their starts. A directory without one is left out.
base::Result<std::vector<FoundRun>> find_runs();

// The directories of runs that were killed at their start, when they had neither a record nor a state log, if
// they were last changed before `before`.
std::vector<std::string> abandoned_directories(Time before);

// When the run ended; of one that was killed, when it last wrote its state log or its record.
Time end_of(const FoundRun& run);

// Where a run keeps the output of its commands (docs/output.md), in its directory.
std::string output_path(const std::string& run_path);

// This process.
ProcessIdentity this_process();
// Whether exactly this process is there, on this machine.
bool is_alive(const ProcessIdentity& process);
// Of the machine since its start; empty if it is unknown.
std::string boot_id();

}  // namespace runs
