// What the first line of a state log tells of its run, for a run whose record cannot be read. Pure.
#pragma once

#include "runs/run_record.hpp"

#include <optional>
#include <string_view>

namespace runs {

// `line` has no newline. The record has the id of the log's first run, its start, and the directory in which
// its commands run; no counts and no end. Nothing if the line does not begin a state log.
std::optional<RunRecord> record_from_log(std::string_view line);

// Whether a name is that of a run's directory: 36 characters, such as 7d1c9a52-61f0-4f0e-9b39-0c4f6f4bb1a5.
bool is_run_id(std::string_view name);

}  // namespace runs
