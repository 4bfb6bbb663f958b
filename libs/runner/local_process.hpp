// Runs the commands and hooks of a workflow as child processes: their directory, their environment, and how
// their end is reported to the attempt's machine. Does not know the order of phases.
#pragma once

#include "config/workflow_config.hpp"
#include "runner/attempt.hpp"
#include "runner/run_id.hpp"
#include "workflow/attempt.hpp"

#include <boost/asio/awaitable.hpp>

namespace runner {

// Runs it in the config's directory, within its timeout. If it succeeds, its stderr is logged; otherwise it
// is part of the result. A terminal cancellation ends the process and throws operation_aborted.
boost::asio::awaitable<workflow::ScriptEnd> run_local(const config::WorkflowConfig& config, RunId run_id,
                                                      Attempt attempt, workflow::RunScript script);

}  // namespace runner
