// The results of an earlier run that a new one reuses (docs/runs.md, "Reusing results").
#pragma once

#include "config/workflow_config.hpp"
#include "launch/refusal.hpp"
#include "launch/run_options.hpp"
#include "reuse/reused_run.hpp"
#include "statelog/record.hpp"
#include "workflow/entry.hpp"

#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace launch {

// The run whose results are reused.
struct ReusePlan {
    statelog::Reuses source;
    std::shared_ptr<reuse::ReusedRun> run;  // null if it can no longer be read
};

// The earlier tasks whose results a run has reused so far.
class TakenResults {
  public:
    void add(const workflow::Entry& entry);
    const std::vector<workflow::TaskId>& tasks() const { return tasks_; }

  private:
    std::vector<workflow::TaskId> tasks_;
};

// options.reuse is given.
std::variant<ReusePlan, Refusal> plan_reuse(const RunOptions& options,
                                            std::shared_ptr<const config::WorkflowConfig> config);

// The plan of a run that goes on from a log of one that reused `source`, if it did. Results in `taken` are
// not reused again. If the earlier run can no longer be read, a warning is logged.
std::optional<ReusePlan> reuse_again(const std::optional<statelog::Reuses>& source,
                                     std::shared_ptr<const config::WorkflowConfig> config,
                                     const TakenResults& taken);

}  // namespace launch
