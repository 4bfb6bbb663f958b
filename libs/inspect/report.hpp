// An inspected log as it is shown: bounded text for people, or JSON with everything in it. Pure: entries that
// hold values and messages are read through a function.
#pragma once

#include "base/error.hpp"
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
        running,   // held, and not all is done
        stopped,   // not held, and not all is done: it can be resumed
        finished,  // all is done, or dropped
        unknown,   // not all is done, and who holds it can't be known
    };
    Status status() const;

    const Inspection& inspection;    // concluded
    const statelog::Replay& replay;  // finished
    statelog::Tail tail;
    std::string path;
    statelog::Use use = statelog::Use::free;
    std::vector<int> holders;  // process ids, as far as they are known
    std::string resume;        // the command that resumes the run
    std::string later;         // path of the newest log of a run that has resumed this one; may be empty
    statelog::Time now;
    // The line of the entry that begins at this offset, without its newline.
    std::function<base::Result<std::string>(std::uint64_t offset)> read_line;
};

// "running", "stopped", "finished", "unknown"; "pending", …
std::string_view status_name(InspectedLog::Status status);
std::string_view state_name(InspectedTask::State state);

// "Analyze", "Analyze (finally)"; printable.
std::string step_label(const InspectedLog& log, config::StepId step, bool is_finally);
std::string step_label(const InspectedLog& log, const InspectedTask& task);
// "Timeout", "CommandFailed, exit code 3"
std::string reason_text(const workflow::Failure& failure);

// The entry at this offset, which the replay has accepted before; the error is the reader's.
base::Result<statelog::Record> read_entry(const InspectedLog& log, std::uint64_t offset);
// The failure of an attempt that has failed.
base::Result<workflow::Failure> read_failure(const InspectedLog& log, const InspectedAttempt& attempt);

// The value that the task was submitted with.
base::Result<workflow::Value> read_value(const InspectedLog& log, const InspectedTask& task);

// Whether a finally follows, has followed, or runs.
bool has_finally(const InspectedLog& log, const InspectedTask& task);
// Indices of the tasks that this one has spawned.
std::vector<std::uint32_t> children_of(const Inspection& inspection, std::uint32_t task);

// The whole run, in at most a few hundred lines.
base::Result<std::string> log_text(const InspectedLog& log);
// All about one task, by its index.
base::Result<std::string> task_text(const InspectedLog& log, std::uint32_t task);

// One JSON object as inspection_schema() describes it; with `only`, of the tasks that one alone, with its
// value and children.
base::Result<void> write_json(std::ostream& out, const InspectedLog& log,
                              std::optional<std::uint32_t> only = std::nullopt);

// JSON Schema, draft-07.
std::string inspection_schema();

}  // namespace inspect
