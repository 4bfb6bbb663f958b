// What a run begins with: a config and the initial tasks, or what is left to do according to a state log.
#pragma once

#include "config/workflow_config.hpp"
#include "io/file_pieces.hpp"
#include "launch/refusal.hpp"
#include "launch/reuse_plan.hpp"
#include "statelog/log_file.hpp"
#include "statelog/start.hpp"
#include "workflow/entry.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace launch {

// The run that is resumed, or whose dropped tasks are tried again.
struct EarlierRun {
    statelog::OldLog log;              // held, so that nobody else resumes it
    std::vector<io::ByteRange> parts;  // that the new log takes over
    // Takes the place of the first line of a log of an earlier format, which the parts are without then.
    std::optional<statelog::Header> header = std::nullopt;
    bool has_checksums = true;
    bool is_retried = false;        // the first line is not taken over: the new run has one of its own
    bool has_finished = false;      // nothing was left but its dropped tasks
    std::string first_run_id = {};  // of its log; may be empty in another program's log
    std::optional<std::uint64_t> initial_tasks = std::nullopt;  // as in its first line
};

struct RunPlan {
    std::shared_ptr<const config::WorkflowConfig> config;
    statelog::Start start;
    workflow::Group first;  // the initial tasks of a new run, already applied to the state
    std::optional<EarlierRun> earlier;
    std::optional<ReusePlan> reuse;
};

using Planned = std::variant<RunPlan, Refusal>;

// Whether any step is done by agents.
bool has_pool_steps(const config::WorkflowConfig& config);

}  // namespace launch
