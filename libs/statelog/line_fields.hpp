// The fields of a state log's line, found in its text. Does not interpret them. Internal to the readers of
// records.
#pragma once

#include "base/error.hpp"
#include "json/json.hpp"

#include <string_view>

namespace statelog {

// The known fields of a line; absent ones have no text.
struct Fields {
    json::View kind, task_id, step, value, parent_id, origin, outcome, report, reused, lenient, time, started;
    json::View answered_by, measured, agent;
    json::View config, directory, directory_hex, run_id, initial_tasks, reuses, format, version;
};

inline bool is_present(json::View field) {
    return !field.text().empty();
}

// `line` must be a JSON object; the error says what it is instead. Unknown fields are ignored.
base::Result<Fields> fields_of(std::string_view line);

}  // namespace statelog
