// What is known of a run besides its state log: the contents of run.json (docs/runs.md, "The run's
// directory"). Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace runs {

using Time = std::chrono::sys_time<std::chrono::milliseconds>;

// A process that is told from a later one with the same pid, and from one before the machine was restarted.
struct ProcessIdentity {
    int pid = 0;
    std::uint64_t start = 0;  // ticks since the machine was started
    std::string boot_id;      // of the machine's start; may be empty

    friend bool operator==(const ProcessIdentity&, const ProcessIdentity&) = default;
};

struct TaskCounts {
    std::uint64_t done = 0;
    std::uint64_t left = 0;  // waiting or running
    std::uint64_t dropped = 0;
    std::uint64_t asked = 0;  // of those that are left: wait for a person

    friend bool operator==(const TaskCounts&, const TaskCounts&) = default;
};

// How the run ended; `result` is that of the event `run_ended` (docs/progress.md, "The event stream").
struct RunEnd {
    Time time;
    int exit_code = 0;
    std::string result;

    friend bool operator==(const RunEnd&, const RunEnd&) = default;
};

// The format of run.json moves with each change, also one that only adds a member (docs/operations.md,
// "Formats"). Format 1 has no number.
inline constexpr std::uint64_t record_format = 3;

struct RunRecord {
    std::string id;
    std::string name;  // may be empty
    // The paths and the options may contain any bytes.
    std::string config;                // an absolute path; empty if the config was given as text
    std::string directory;             // in which the run was started
    std::string parameters;            // of -p, a JSON object; empty if there were none
    std::vector<std::string> options;  // that a resumed run repeats, as on a command line
    std::string user;
    std::string host;
    ProcessIdentity process;
    std::string version;    // of Barnum
    std::string resumes;    // the id of the run whose state log this one continues; may be empty
    std::string retries;    // the id of the run whose dropped tasks this one tries again; may be empty
    std::string reuses;     // the id of the run whose results it reuses; may be empty
    std::string state_log;  // an absolute path
    Time started;
    bool is_paused = false;     // by the user
    TaskCounts tasks;           // while the run lives, a few seconds old
    std::optional<double> usd;  // what its agents have cost, as far as they tell
    std::string price_list;     // by which that is an estimate, in part or in all; its date, or empty
    // The agents of its pool that have a task; none if they are not known, and after its end.
    std::optional<std::uint64_t> busy_agents;
    std::optional<RunEnd> end;             // none while the run lives, and if it was killed
    std::uint64_t format = record_format;  // as it was read; the present one is written
    // run.json cannot be read, and this is what the state log tells. Not written.
    bool is_damaged = false;

    friend bool operator==(const RunRecord&, const RunRecord&) = default;
};

// The name of the state log in the directory of its run, unless the user gives it another place.
inline constexpr const char* state_log_name = "state.ndjson";

// The record as it is written in the run's directory: what lies there is named relative to it, so that the
// directory may be moved and copied.
RunRecord as_written_in(const std::string& directory, RunRecord record);
// The record as it is after it was read from there, with absolute paths. In a record of an earlier version,
// the log that lies in the directory has the path that the directory had when the run was started.
RunRecord as_read_in(const std::string& directory, RunRecord record);

std::string to_json(const RunRecord& record);
// Nothing if the text is not a record. Unknown members are ignored.
std::optional<RunRecord> parse_run_record(std::string_view text);

}  // namespace runs
