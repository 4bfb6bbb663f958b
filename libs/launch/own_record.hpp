// The record of this run, and its directory, by which other commands find the run (docs/runs.md).
#pragma once

#include "base/error.hpp"
#include "launch/run_files.hpp"
#include "launch/run_options.hpp"
#include "runs/run_directories.hpp"
#include "runs/run_record.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace launch {

class OwnRecord {
  public:
    // Creates the directory, and writes nothing into it yet.
    static base::Result<OwnRecord> create(const RunOptions& options, const std::string& run_id,
                                          std::vector<std::string> kept_options);
    // The record of a run that has no directory is kept in memory only.
    static OwnRecord without_directory(const RunOptions& options, const std::string& run_id,
                                       std::vector<std::string> kept_options);

    const runs::RunRecord& record() const { return record_; }
    const std::string& run_id() const { return record_.id; }

    bool has_directory() const { return directory_.has_value(); }
    // The directory's path; empty if there is none.
    std::string directory() const { return directory_ ? directory_->path() : ""; }

    // Where the results of descendants are while a `finally` reads them.
    std::string results_path() const { return results_directory(directory(), run_id()); }

    // The following paths need a directory.

    // Where the state log is, unless the user gives it another place.
    std::string default_log_path() const { return directory() + "/" + runs::state_log_name; }

    // Where the output of its commands is kept.
    std::string output_path() const { return runs::output_path(directory()); }

    // Where the log of a detached run is.
    static constexpr const char* run_log_name = "run.log";
    std::string run_log_path() const { return directory() + "/" + run_log_name; }

    // The run is about to create its state log, with these tasks. If it is killed before begun(), it has
    // begun if that log is there.
    void prepare(const std::string& log_path, const runs::TaskCounts& tasks);
    // The run has its state log.
    void begun();
    // To be called before prepare() and begun(), with the record of the run that it resumes, or whose dropped
    // tasks it tries again. If that one has not finished, it is resumed as well.
    void set_resumed(const runs::RunRecord& earlier);
    void set_retried(const runs::RunRecord& earlier, bool has_finished);
    // To be called before prepare() and begun(), with the id of the run whose results it reuses; may be
    // empty.
    void set_reused(const std::string& run_id);
    // What changes while the run goes on.
    struct Figures {
        runs::TaskCounts tasks;
        std::optional<double> usd;
        std::string price_list = {};  // as in the record
        std::optional<std::uint64_t> busy_agents;
    };
    // Writes the record if it has other values.
    void update(const Figures& figures);
    // Needs a directory. Fails if the record cannot be written and synced: a later run would not know it.
    // Then the run is not paused; but it does continue.
    base::Result<void> set_paused(bool is_paused);
    bool is_paused() const { return record_.is_paused; }
    // On a full disk, it is written in the place of what is there.
    void ended(const runs::RunEnd& end);

    // The run does not begin: removes the directory.
    void discard() const;

  private:
    OwnRecord(std::optional<runs::RunDirectory> directory, runs::RunRecord record, bool is_synced)
        : directory_(std::move(directory)), record_(std::move(record)), is_synced_(is_synced) {}
    void take_over(const runs::RunRecord& earlier);
    void write(runs::RunDirectory::Durability durability);
    void note(const base::Result<void>& written);

    std::optional<runs::RunDirectory> directory_;
    runs::RunRecord record_;
    bool is_synced_;  // unless --fsync never was given
    bool is_prepared_ = false;
    bool has_failed_ = false;  // to be written, which was logged
};

}  // namespace launch
