// Why a run has executed a task, or has not: what differs from the run whose results it reuses.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "reuse/reused_run.hpp"
#include "statelog/replay.hpp"
#include "workflow/entry.hpp"
#include "workflow/state.hpp"

#include <optional>
#include <string>

namespace reuse {

// A task of a run, as its log shows it.
struct AskedTask {
    workflow::TaskId id;  // the attempt that was asked for
    workflow::Task task;
    bool has_ended = false;
    std::optional<workflow::ReusedFrom> reused;
};

// Finds the task with one of its attempts' ids, as the observer of a replay of the run's log.
class TaskSearch {
  public:
    explicit TaskSearch(workflow::TaskId wanted) : wanted_(wanted) {}
    void add(const statelog::Replay& replay, const statelog::Record& record);
    // Empty if the log has no such task.
    const std::optional<AskedTask>& found() const { return found_; }
    std::optional<workflow::TaskId> last_id() const { return last_id_; }

  private:
    workflow::TaskId wanted_;
    workflow::TaskId attempt_;  // the newest of the task
    std::optional<AskedTask> found_;
    std::optional<workflow::TaskId> last_id_;
};

// "ran because `instructions` of Summarize changed (line 1):", with the first lines that differ; "reused from
// task 17 of run 3f2a…"; without a newline at the end. `earlier` is the run that the task's run reuses, read
// with the config of the latter; null if it reuses none.
base::Result<std::string> why(const config::WorkflowConfig& config, const AskedTask& asked,
                              const ReusedRun* earlier);

}  // namespace reuse
