// Commands that agents of the kind shell run: what these are given, and how the end of such a command reads
// as that of a local process. Pure.
#pragma once

#include "config/workflow_config.hpp"
#include "pool_protocol/command_task.hpp"
#include "process/child_result.hpp"
#include "runner/attempt.hpp"
#include "runner/run_id.hpp"
#include "workflow/attempt.hpp"

namespace runner {

// The content of the submission: what a local process of the attempt gets.
base::SplicedText pool_command(const config::WorkflowConfig& config, const RunId& run_id,
                               const Attempt& attempt, workflow::RunScript script);

process::ChildResult child_result(pool_protocol::CommandEnd end);

}  // namespace runner
