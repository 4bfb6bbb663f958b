// Commands and hooks of a workflow as child processes: where they run, what they find in their environment,
// how their end reads. Knows no order of phases.
#pragma once

#include "base/spliced_text.hpp"
#include "config/workflow_config.hpp"
#include "process/child_process.hpp"
#include "workflow/entry.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <string>

namespace runner {

// One attempt at a task, as its coroutine carries it.
struct Attempt {
    workflow::TaskId task;
    config::StepId step;
    std::uint32_t number = 1;  // 1, 2, …
    workflow::Value value;     // as submitted
    bool is_finally = false;
    std::chrono::system_clock::time_point started;
};

// "task 12 Analyze", "task 14 Analyze (finally)": how log lines call it.
std::string label(const config::WorkflowConfig& config, const Attempt& attempt);

// One shell text of an attempt.
struct LocalProcess {
    std::string what;  // "command", "pre hook": for messages
    std::string script;
    base::SplicedText input;
};

// Runs it in the config's directory, within the step's timeout. What it wrote to stderr is logged if it
// succeeded, and left in the result if it did not. A terminal cancellation ends it and throws
// operation_aborted.
boost::asio::awaitable<process::ChildResult> run_local(const config::WorkflowConfig& config,
                                                       std::string run_id, Attempt attempt,
                                                       LocalProcess process);

// "the command exited with code 3", and its stderr on the lines below.
std::string failure_message(const std::string& what, const process::ChildResult& result);

}  // namespace runner
