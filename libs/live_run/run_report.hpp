// Reports the end of a run: its outcome, the command that resumes it or shows what went wrong, and the exit
// code.
#pragma once

#include "config/workflow_config.hpp"
#include "launch/run_options.hpp"
#include "runner/outcome.hpp"

#include <functional>
#include <string>

namespace live_run {

// The command that resumes a run with these options from its state log, quoted for a shell.
using CommandToResume =
    std::function<std::string(const launch::RunOptions& options, const std::string& log_path)>;

int exit_code_for(const runner::Outcome& outcome);

// Logs the outcome. `has_table`: the progress has left a table of the steps, so the text contains none.
void report_outcome(const config::WorkflowConfig& config, const runner::Outcome& outcome, bool has_table);

// The command that resumes the run; empty if it cannot be resumed. The arguments are those of
// report_next_command().
std::string resume_command(const launch::RunOptions& options, const std::string& log_path,
                           const runner::Outcome* outcome, bool is_log_complete,
                           const CommandToResume& command);

// Logs the command that resumes the run; or, if the run has finished and its state log is complete, the one
// that shows which tasks were dropped. `outcome` is null if the run was ended before it had one.
void report_next_command(const launch::RunOptions& options, const std::string& log_path,
                         const runner::Outcome* outcome, bool is_log_complete,
                         const CommandToResume& command);

}  // namespace live_run
