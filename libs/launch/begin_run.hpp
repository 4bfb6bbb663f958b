// Creates the state log with which a planned run begins. The log is complete and durable before anything is
// started. Starts nothing.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "launch/own_record.hpp"
#include "launch/run_options.hpp"
#include "launch/run_plan.hpp"
#include "statelog/log_file.hpp"
#include "statelog/start.hpp"

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace launch {

struct Beginning {
    std::string run_id;
    std::string first_run_id;    // of the log's first run: `run_id`, unless resumed
    std::string retried_run_id;  // the first run of the log whose dropped tasks are tried again; may be empty
    std::shared_ptr<const config::WorkflowConfig> config;
    statelog::Start start;
    statelog::LogFile log;
    std::optional<statelog::OldLog> resumed;  // held, so that nobody else resumes it
    OwnRecord record;
    std::optional<ReusePlan> reuse;
};

// `kept_options`: those that a run which goes on with this one has again, as on a command line: "--pool=x".
std::variant<Beginning, Refusal> begin_run(const RunOptions& options, RunPlan plan,
                                           std::vector<std::string> kept_options);

// Logs a line if other runs are running with the same config file in the same directory.
void tell_of_others(const runs::RunRecord& own);

// The path that the log would have, with "<run-id>" in place of the id, which is not known yet; or the reason
// why a run could not create it. Creates nothing.
base::Result<std::string> log_place(const RunOptions& options);
// Where the run's agents keep their transcripts; empty: nowhere. `log_path` is absolute.
std::string transcripts_directory(const RunOptions& options, const std::string& log_path);
// Whether the user is to give the log another place, or the disk is at fault.
Refusal::Kind kind_for_log(const base::Error& error);

}  // namespace launch
