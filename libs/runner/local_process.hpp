// Runs the commands and hooks of a workflow as child processes: their directory, their environment, and how
// their end is reported to the attempt's machine. Does not know the order of phases.
#pragma once

#include "config/workflow_config.hpp"
#include "process/child_result.hpp"
#include "process/marked_processes.hpp"
#include "runner/attempt.hpp"
#include "runner/kept_output.hpp"
#include "runner/run_id.hpp"
#include "workflow/attempt.hpp"

#include <boost/asio/awaitable.hpp>

namespace runner {

// What becomes of the output of commands and hooks, besides its use as a result. Either may be null.
struct OutputUse {
    KeptOutput* kept = nullptr;                          // keeps it
    std::shared_ptr<const output::Redaction> redaction;  // replaces secrets in what is kept or told of it
};

// The path of the file with the previous attempts; only set if there are any.
inline constexpr const char* previous_attempts_variable = "BARNUM_PREVIOUS_ATTEMPTS";
// The path of the file with the results of descendants; only set for a finally.
inline constexpr const char* results_variable = "BARNUM_RESULTS";

// The variables that every script of the attempt has, besides the step's own.
process::Environment variables_of(const config::WorkflowConfig& config, const RunId& run_id,
                                  const Attempt& attempt);

struct LocalEnd {
    workflow::ScriptEnd end;
    process::ChildUse use;
};

// How the attempt's script, `name` as in RunScript, has ended. If it has succeeded, its stderr is logged;
// otherwise it is part of the end. The script was not cancelled.
LocalEnd end_of_script(const config::WorkflowConfig& config, const Attempt& attempt, std::string_view name,
                       process::ChildResult result);

// Runs it in the config's directory, within its timeout, with `variables` besides those that every script
// has, up to end_of_script(). A terminal cancellation ends the process and throws operation_aborted.
boost::asio::awaitable<LocalEnd> run_local(const config::WorkflowConfig& config, RunId run_id,
                                           Attempt attempt, workflow::RunScript script, OutputUse use,
                                           process::Environment variables);

}  // namespace runner
