// Where in the state log the entries are that tell of the descendants of each task whose `finally` is to
// come: so a `finally` reads no entries but these, however many tasks there are beside them. Pure.
#pragma once

#include "config/workflow_config.hpp"
#include "io/file_pieces.hpp"
#include "workflow/entry.hpp"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace runner {

using LogRanges = std::vector<io::ByteRange>;

// The ranges in the order of their bytes; those that touch or overlap become one.
LogRanges merged(LogRanges ranges);

// Gets all entries of a log, in their order. Needs memory for live tasks below a task with a `finally`, and
// 16 bytes for each stretch of entries that belong to the same `finally`. The config must outlive it.
class ResultIndex {
  public:
    explicit ResultIndex(const config::WorkflowConfig& config) : config_(config) {}

    // A task whose `finally` has ended, for good.
    struct Ended {
        workflow::TaskId task;
        std::optional<workflow::TaskId> awaited_by;  // the nearest task above whose `finally` is to come
        LogRanges lines;                             // as lines_of()
    };
    // A task that was submitted before the first of them. There is no `finally` to come above it.
    void begin_with(workflow::TaskId task, config::StepId step);
    std::optional<Ended> add(const workflow::Entry& entry, io::ByteRange line);

    // These belong to the results of this task, too.
    void give(workflow::TaskId task, LogRanges lines);

    // Whether the task has ended, and its `finally` has not.
    bool knows(workflow::TaskId task) const { return waiting_.contains(task); }
    // The entry with its end, and those about its descendants.
    LogRanges lines_of(workflow::TaskId task) const;

  private:
    struct Open {
        config::StepId step = {};
        std::optional<workflow::TaskId> awaited_by = {};
        std::optional<workflow::TaskId> finally_for = {};
        bool is_retry = false;
    };
    struct Waiting {
        std::optional<workflow::TaskId> awaited_by;
        LogRanges lines;
    };

    void submit(const workflow::TaskSubmitted& entry, io::ByteRange line);
    std::optional<Ended> complete(const workflow::TaskCompleted& entry, io::ByteRange line);
    bool waits(const Open& open, const workflow::TaskCompleted& entry) const;
    void note(std::optional<workflow::TaskId> awaited_by, io::ByteRange line);
    std::optional<Ended> end_finally(workflow::TaskId task);

    const config::WorkflowConfig& config_;
    std::unordered_map<workflow::TaskId, Open>
        open_;  // those that matter: they have a `finally`, or one above
    std::unordered_map<workflow::TaskId, Waiting> waiting_;
};

}  // namespace runner
