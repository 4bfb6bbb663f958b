// The line of a state log that says what the agents of an attempt have used so far, before the attempt has
// ended: {"kind":"UsageReported","task_id":7,"usage":{…},"time":…}. It counts by itself, in no group.
#pragma once

#include "base/error.hpp"
#include "statelog/record.hpp"
#include "workflow/entry.hpp"
#include "workflow/running_usage.hpp"

#include <string>
#include <string_view>

namespace statelog {

struct UsageNote {
    workflow::TaskId task;
    workflow::AttemptUsage used;  // in all, also before the run was resumed
    Time time = {};               // when it was written; 0 if it is not known
};

// Appends the line with its checksum and newline.
void append_usage_note(std::string& out, const UsageNote& note, Time time);

// Whether the line is a note of usage, if it is intact.
bool is_usage_note(std::string_view line);
// `line` has no newline; its checksum is not verified. The error says what is wrong in the line.
base::Result<UsageNote> read_usage_note(std::string_view line);

}  // namespace statelog
