// The lines of a state log, one JSON object each: entries to text and back. Knows
// neither files nor the order in which lines make sense.
#pragma once

#include "base/error.hpp"
#include "base/spliced_text.hpp"
#include "config/workflow_config.hpp"
#include "workflow/entry.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace statelog {

using Time = std::chrono::sys_time<std::chrono::milliseconds>;

Time now();

// The first line: {"kind":"Config",…}, what the run was begun with. Beside the documented "config" it has
// "directory", "run_id" and "initial_tasks"; a log without the last two is read as well.
struct Header {
    std::string config;                          // compact JSON, links read in
    std::string directory;                       // absolute: where commands run; any bytes
    std::string run_id;                          // of the run that began it; resumed runs keep it
    std::optional<std::uint64_t> initial_tasks;  // how many entries the log was born with
    bool has_checksum = true;                    // as read; what is written always has
};

// An entry as it stands in a log. Beside the documented fields it has "time" and, for a completion,
// "started", the start of the attempt.
struct Record {
    workflow::Entry entry;
    std::optional<Time> time;
    std::optional<Time> started;
};

// Each appends one line, with its checksum (line_checksum.hpp) and newline.
void append_header(std::string& out, const Header& header, Time time);
void append_record(std::string& out, const config::WorkflowConfig& config, const workflow::Entry& entry,
                   Time time, std::optional<Time> started = std::nullopt);

// The same line behind other text, for a value so large that it is not to be copied.
base::SplicedText long_record(std::string before, const config::WorkflowConfig& config,
                              const workflow::TaskSubmitted& entry, Time time);

// `line` is without its newline; whether a checksum is right is not looked at. Fields that are not known are
// passed over. The error says what is wrong in the line, without the place.
base::Result<Header> read_header(std::string_view line);
base::Result<Record> read_record(const config::WorkflowConfig& config, std::string_view line);

// The reason's name in a log: "Timeout", "CommandFailed", …
std::string_view reason_name(workflow::Failure::Kind kind);

}  // namespace statelog
