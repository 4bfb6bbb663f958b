// What a run begins with: a config and the initial tasks, or what is left to do according to a state log.
// Reads and checks both; creates and starts nothing.
#pragma once

#include "config/workflow_config.hpp"
#include "run_options.hpp"
#include "runner/runner.hpp"
#include "statelog/log_file.hpp"
#include "workflow/entry.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace barnum {

// The run that is resumed.
struct EarlierRun {
    statelog::OldLog log;  // held, so that nobody else resumes it
    std::uint64_t committed_bytes = 0;
    std::string first_run_id;  // may be empty in another program's log
    bool has_checksums = true;
};

struct RunPlan {
    std::shared_ptr<const config::WorkflowConfig> config;
    runner::Start start;
    workflow::Group first;  // the initial tasks of a new run, already applied to the state
    std::optional<EarlierRun> earlier;
};

// The exit code if the run must not begin; the message was printed to stderr. It is 0 if nothing is left to
// do.
using PlanOrCode = std::variant<RunPlan, int>;

PlanOrCode plan_run(const RunOptions& options);

// Whether any step is done by agents.
bool has_pool_steps(const config::WorkflowConfig& config);

}  // namespace barnum
