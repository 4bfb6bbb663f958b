// Formats and parses the lines of a state log, one JSON object each. Knows neither files nor which order of
// lines is valid.
#pragma once

#include "base/error.hpp"
#include "base/spliced_text.hpp"
#include "config/workflow_config.hpp"
#include "workflow/entry.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace statelog {

using Time = std::chrono::sys_time<std::chrono::milliseconds>;

Time now();

// The length of the longest line, in bytes: no entry is longer.
inline constexpr std::size_t longest_line = std::size_t{1} << 30;

// The run whose results a run reuses.
struct Reuses {
    std::string run_id;
    std::string state_log;  // an absolute path; may contain any bytes
};

// Moves with each change of the lines, also one that only adds a field (docs/operations.md, "Formats").
// Format 1 has no number in the log.
inline constexpr std::uint64_t log_format = 4;

// The first line: {"kind":"Config",…}, which describes the start of the run. In addition to "config" it has
// "directory", "run_id" and "initial_tasks"; a log without the last two is accepted.
struct Header {
    std::string config;     // compact JSON with its links replaced
    std::string directory;  // absolute: where commands run; may contain any bytes
    std::string run_id;     // of the run that created the first log; resumed runs keep it
    std::optional<std::uint64_t>
        initial_tasks;         // the number of initial tasks, which the log contains from the start
    bool has_checksum = true;  // set by reading; written lines always have one
    std::optional<Reuses> reuses = std::nullopt;
    std::optional<Time> time = std::nullopt;  // set by reading: when the log was begun
    std::string version = {};                 // of the program that began the log; empty: unknown
    std::uint64_t format = log_format;        // set by reading; written lines always have log_format
};

// The longest name of an agent, in bytes; the rest is cut off.
inline constexpr std::size_t longest_agent = 200;

// An entry with the additional fields of its line: "time" and, for a completion, "started", the start of the
// attempt.
struct Record {
    workflow::Entry entry;
    std::optional<Time> time;
    std::optional<Time> started;
};

// Each function appends one line with its checksum (line_checksum.hpp) and newline.
void append_header(std::string& out, const Header& header, Time time);
void append_record(std::string& out, const config::WorkflowConfig& config, const workflow::Entry& entry,
                   Time time, std::optional<Time> started = std::nullopt);

// The line of append_record() after the text `before`, in pieces, so that a large value is not copied.
base::SplicedText long_record(std::string before, const config::WorkflowConfig& config,
                              const workflow::TaskSubmitted& entry, Time time);

// `line` has no newline; its checksum is not verified. Unknown fields are ignored. An error says what is
// wrong in the line, without the position. A header of a higher format is read as far as it is known.
base::Result<Header> read_header(std::string_view line);
base::Result<Record> read_record(const config::WorkflowConfig& config, std::string_view line);

// The name of the reason in a log: "Timeout", "CommandFailed", …
std::string_view reason_name(workflow::Failure::Kind kind);

}  // namespace statelog
