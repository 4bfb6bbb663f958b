// How a run begins: anew, from a config, or again, from the state log of one that did not end; either way
// with a state log of its own, which is there, whole and durable, before anything is started (R32, R35).
// Starts nothing.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "run_options.hpp"
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

// With the message printed to stderr: the exit code (R28) of a run that is not to begin, 0 among them for one
// that has nothing left to do (R33).
using BeginningOrCode = std::variant<Beginning, int>;

BeginningOrCode begin_run(const RunOptions& options);
BeginningOrCode resume_run(const RunOptions& options);

}  // namespace barnum
