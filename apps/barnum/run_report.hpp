// What a run says at its end: its outcome, and the command that continues it or shows what went wrong; and
// the exit code that its outcome means.
#pragma once

#include "config/workflow_config.hpp"
#include "run_options.hpp"
#include "runner/outcome.hpp"

#include <string>

namespace barnum {

int exit_code_for(const runner::Outcome& outcome);

// To the log. `has_table`: the progress has left a table of the steps, so that the text needs none.
void report_outcome(const config::WorkflowConfig& config, const runner::Outcome& outcome, bool has_table);

// To the log: the command that resumes the run, unless it has finished and its state log is complete; else
// the one that shows which tasks were dropped. `outcome` is null if the run was ended before it had one.
void report_next_command(const RunOptions& options, const std::string& log_path,
                         const runner::Outcome* outcome, bool is_log_complete);

}  // namespace barnum
