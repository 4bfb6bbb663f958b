// What a run is to begin with: a config and its first tasks, or what a state log has left to do. Read and
// checked; nothing is made or started for it yet.
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
    workflow::Group first;  // the tasks of a run that begins anew; applied to the state already
    std::optional<EarlierRun> earlier;
};

// With the message printed to stderr: the exit code of a run that is not to begin, 0 among them for one
// that has nothing left to do.
using PlanOrCode = std::variant<RunPlan, int>;

PlanOrCode plan_run(const RunOptions& options);

// Whether any step is done by agents.
bool has_pool_steps(const config::WorkflowConfig& config);

}  // namespace barnum
