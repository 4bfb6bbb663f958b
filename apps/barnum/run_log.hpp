// How a run begins by its plan: with a state log of its own, which is there, whole and durable, before
// anything is started. Starts nothing.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "run_options.hpp"
#include "run_plan.hpp"
#include "runner/runner.hpp"
#include "statelog/log_file.hpp"

#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace barnum {

struct Beginning {
    std::string run_id;
    std::string first_run_id;  // of the run that began the log: `run_id`, unless resumed
    std::shared_ptr<const config::WorkflowConfig> config;
    runner::Start start;
    statelog::LogFile log;
    std::optional<statelog::OldLog> resumed;  // held, so that nobody else resumes it
};

// With the message printed to stderr: the exit code of a run that is not to begin.
using BeginningOrCode = std::variant<Beginning, int>;

BeginningOrCode begin_run(const RunOptions& options, RunPlan plan);

// Where the log would be, "<run-id>" in its name for what is not known before; or why a run could not make
// it. Makes nothing.
base::Result<std::string> log_place(const RunOptions& options);
int exit_code_for_log(const base::Error& error);

}  // namespace barnum
