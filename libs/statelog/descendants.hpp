// What a task led to: its descendants, as the entries of a state log tell of them. Pure; takes the log's
// lines in order, and needs memory only for the tasks that have not ended where it reads, as the run did.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "workflow/entry.hpp"

#include <functional>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace statelog {

// A task that has ended, with all its attempts.
struct Descendant {
    workflow::TaskId task;    // its last attempt
    workflow::TaskId parent;  // the last attempt of the task in whose response it was, or whose `finally` or
                              // `gather` submitted it
    config::StepId step;
    workflow::Value value;
    const workflow::Failure* failure = nullptr;  // set: the task was dropped, for this reason
};

class Descendants {
  public:
    // `task`: the last attempt of the task whose descendants are read. The config must outlive this.
    Descendants(const config::WorkflowConfig& config, workflow::TaskId task) : config_(config), task_(task) {}

    // Called with each descendant when it has ended: not in the order of their numbers. A `finally` is not a
    // descendant, but the tasks that it submits are. The `finally` of the task itself is left out.
    std::function<void(const Descendant&)> on_ended;

    // To be called with each line of the log, without its newline, that comes after the first line: all, or
    // those from the entry on with which `task` ends. Fails if it is no entry.
    base::Result<void> take(std::string_view line);

    // Whether the task itself was dropped.
    bool is_task_dropped() const { return is_task_dropped_; }

  private:
    struct Open {
        workflow::TaskId parent = {};
        config::StepId step = {};
        workflow::Value value = nullptr;
        std::optional<workflow::TaskId> finally_for = std::nullopt;
    };

    void submit(const workflow::TaskSubmitted& entry);
    void complete(const workflow::TaskCompleted& entry);
    void expect(const std::vector<workflow::TaskId>& children, workflow::TaskId parent);
    void end(workflow::TaskId task, const Open& open, const workflow::Failure* failure);

    const config::WorkflowConfig& config_;
    workflow::TaskId task_;
    bool is_task_dropped_ = false;
    std::unordered_map<workflow::TaskId, Open> open_;  // announced, or submitted, and not ended
    std::unordered_set<workflow::TaskId>
        finally_due_;  // tasks that have ended, and whose `finally` has not come
};

// The attempt that ends with this line of a log; empty for any other line.
std::optional<workflow::TaskId> completed_in(std::string_view line);

}  // namespace statelog
