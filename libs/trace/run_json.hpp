// A run as JSON for a page: its steps as they are in the config, and its sums. Pure.
#pragma once

#include "config/workflow_config.hpp"
#include "trace/trace.hpp"

#include <string>
#include <string_view>

namespace trace {

// {"run":RUN,"entrypoint":…,"steps":[…],"agents":[…],"unreported":[…],"position":"R.C","live":…}. `run` is a
// JSON object: the record of the run. The trace must have its config.
std::string run_json(const Trace& trace, std::string_view run, bool is_live);

// [{"name":…,"action":"Command",…}]
std::string steps_json(const config::WorkflowConfig& config);

// {"steps":[{"step":…,"finally":…,"waiting":…,"done":…,"dropped":…,"retried":…,…}],"usage":[…]}: exact,
// whatever is shown of the rows.
std::string sums_json(const Trace& trace);

}  // namespace trace
