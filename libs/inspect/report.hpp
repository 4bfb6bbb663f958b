// Prints an inspected log: as text of limited length for people, or as complete JSON. Pure: entries with
// values and messages are read through a function.
#pragma once

#include "base/error.hpp"
#include "config/response.hpp"
#include "inspect/inspection.hpp"
#include "statelog/log_use.hpp"
#include "statelog/replay.hpp"

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inspect {

struct InspectedLog {
    enum class Status {
        running,   // its lock is held, and not all tasks have finished
        stopped,   // its lock is free, and not all tasks have finished: it can be resumed
        finished,  // all tasks are done or dropped
        unknown,   // not all tasks have finished, and it is unknown whether the lock is held
    };
    Status status() const;

    const Inspection& inspection;    // conclude() was called
    const statelog::Replay& replay;  // finish() was called
    statelog::Tail tail;
    std::string path;
    statelog::Use use = statelog::Use::free;
    std::vector<int> holders;  // pids, as far as they are known
    std::string resume;        // the command that resumes the run
    std::string later;         // path of the newest log of a run that has resumed this one; may be empty
    statelog::Time now;
    // Returns the line that begins at this offset, without its newline.
    std::function<base::Result<std::string>(std::uint64_t offset)> read_line;
    // The id from the record of the run that wrote the log; empty if there is none.
    std::string run_id = {};
    std::string continues = {};         // the run that it continues, if it has a record
    std::string later_run = {};         // the run whose log `later` is
    std::string retries = {};           // the run whose dropped tasks the run tries again; may be empty
    std::string result = {};            // how it ended: "budget_spent"; empty if it was killed or still runs
    bool is_stopped = false;            // the process of the run, which lives, is stopped by a signal
    bool resume_knows_options = false;  // `resume` repeats the options that are not in the log
};

// "running", "stopped", "finished", "unknown"; "pending", …
std::string_view status_name(InspectedLog::Status status);
std::string_view state_name(InspectedTask::State state);

// "Analyze", "Analyze (finally)"; printable.
std::string step_label(const InspectedLog& log, config::StepId step, bool is_finally);
std::string step_label(const InspectedLog& log, const InspectedTask& task);
// "Timeout", "CommandFailed, exit code 3"
std::string reason_text(const workflow::Failure& failure);

// Reads the entry at this offset, which the replay has accepted; fails only if it cannot be read.
base::Result<statelog::Record> read_entry(const InspectedLog& log, std::uint64_t offset);
// The completion of an attempt with an outcome.
base::Result<workflow::TaskCompleted> read_completion(const InspectedLog& log,
                                                      const InspectedAttempt& attempt);
// The failure of a failed attempt.
base::Result<workflow::Failure> read_failure(const InspectedLog& log, const InspectedAttempt& attempt);

// The tasks of the response of an attempt that has succeeded.
base::Result<std::vector<config::NewTask>> read_response(const InspectedLog& log,
                                                         const InspectedAttempt& attempt);

// What the agent reports of an attempt with `has_report`.
base::Result<pool_protocol::AgentReport> read_report(const InspectedLog& log,
                                                     const InspectedAttempt& attempt);

// Reads whose result the task has that `is_reused`.
base::Result<workflow::ReusedFrom> read_reused(const InspectedLog& log, const InspectedAttempt& attempt);

// What the phases of an attempt with `has_measured` took, and its local processes have used.
base::Result<workflow::Measured> read_measured(const InspectedLog& log, const InspectedAttempt& attempt);

// Reads who has answered the task, for an attempt that `is_answered`.
base::Result<std::string> read_agent(const InspectedLog& log, const InspectedAttempt& attempt);
base::Result<std::string> read_answered_by(const InspectedLog& log, const InspectedAttempt& attempt);

// The value with which the task was submitted.
base::Result<workflow::Value> read_value(const InspectedLog& log, const InspectedTask& task);

// "there is no task 7 in run.ndjson; the last one in it is 5"
std::string no_such_task(const Inspection& inspection, const std::string& path, workflow::TaskId id);

// Whether the task has a `finally`, in any state.
bool has_finally(const InspectedLog& log, const InspectedTask& task);
// Indices of the tasks that this one has spawned.
std::vector<std::uint32_t> children_of(const Inspection& inspection, std::uint32_t task);

// The whole run, in at most a few hundred lines.
base::Result<std::string> log_text(const InspectedLog& log);
// Everything about one task.
base::Result<std::string> task_text(const InspectedLog& log, std::uint32_t index);

// Writes one JSON object as described by inspection_schema(). With `only`, its tasks are only that one, with
// its value and children.
base::Result<void> write_json(std::ostream& out, const InspectedLog& log,
                              std::optional<std::uint32_t> only = std::nullopt);

// JSON Schema, draft-07.
std::string inspection_schema();

}  // namespace inspect
