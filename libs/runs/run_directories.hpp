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

// The name of the record in a run's directory, and that of one that will replace it. A run has the second one
// alone from just before it creates its state log until just after.
inline constexpr const char* record_name = "run.json";
inline constexpr const char* prepared_record_name = ".run.json";

class RunDirectory {
  public:
    // Creates that of a new run with mode 0700, and missing directories above it. Refuses a directory of runs
    // that is another user's, or to which others may write.
    static base::Result<RunDirectory> create(const std::string& run_id);
    // The directory of a run which is there.
    explicit RunDirectory(std::string path) : path_(std::move(path)) {}

    const std::string& path() const { return path_; }
    // What a power failure may leave of run.json: any file; the new one or the one before; the new one.
    enum class Durability { none, whole, written };
    // Replaces run.json atomically. After an error it is unchanged, unless the error is that of the last
    // sync.
    base::Result<void> write(const RunRecord& record, Durability durability) const;
    // The two halves of write(). A run that was killed between them is read_run() by what was prepared.
    base::Result<void> prepare(const RunRecord& record, Durability durability) const;
    base::Result<void> publish(Durability durability) const;
    // To be called for a run that does not begin: removes what was prepared, and the directory if nothing
    // else is in it.
    void discard() const;
    // Writes over the run.json that is there, for a disk that has no space for another one. A kill meanwhile
    // may leave a cut one. Fails, and changes nothing, if that would need more space.
    base::Result<void> write_in_place(const RunRecord& record) const;

  private:
    std::string path_;
};

struct FoundRun {
    std::string path;  // of its directory
    RunRecord record;
};

// The run with this directory. If there is no run.json, and the run was killed just after it had created its
// state log, its record is the one that it had prepared. If run.json cannot be read, the run is damaged, and
// its record says what the state log there tells, if that can be read. None if the directory is not that of a
// run: it has no state log either, or its name is not an id.
std::optional<FoundRun> read_run(const std::string& path);

// All runs, in the order of their starts, as read_run() reads them. Refuses what RunDirectory::create() does.
base::Result<std::vector<FoundRun>> find_runs();

// The runs of earlier versions, which had no directories: each has only a state log <id>.ndjson, in the
// directory above that of the runs. The path of such a run is that of its log, and its record says what the
// log's first line tells. None if BARNUM_RUNS is set.
std::vector<FoundRun> find_runs_without_directory();

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
// Whether it is stopped, by SIGSTOP or Ctrl-Z, and goes on only after a SIGCONT.
bool is_stopped(const ProcessIdentity& process);
// The id of the machine's start; empty if it is unknown.
std::string boot_id();

}  // namespace runs
