// Which tasks a run's history contains and how they depend on each other; and what remains of it if dropped
// tasks are to be tried again (docs/state-log.md, "Retrying dropped tasks"). Pure.
#pragma once

#include "config/workflow_config.hpp"
#include "workflow/entry.hpp"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace workflow {

class History {
  public:
    // A task with all its attempts; the `finally` of a task is a task of its own.
    struct Node {
        TaskId first;  // its first attempt
        TaskId last;   // its last one
        config::StepId step;
        bool is_dropped = false;
        std::optional<std::uint32_t> parent = std::nullopt;  // its index
        std::optional<std::uint32_t> finally_for =
            std::nullopt;  // the index of the task whose `finally` it is
    };

    // To be called in the order of the history, of which each entry was applied.
    void add(const Entry& entry);

    // The tasks in the order of their first entries; the indices above refer to this list.
    const std::vector<Node>& nodes() const { return nodes_; }
    // The index of the task that has this attempt.
    std::optional<std::uint32_t> find(TaskId attempt) const;

  private:
    void submit(const TaskSubmitted& entry);

    std::vector<Node> nodes_;
    std::unordered_map<TaskId, std::uint32_t> by_id_;  // of every attempt
};

// The entries of a history that a new run leaves out to try dropped tasks again: all of their attempts, but
// not their first submission; each `finally` that ran because they had ended, with all that descends from it.
// The other entries, in their order, are the history of a run in which these tasks are ready.
class LeftOut {
  public:
    // `retried`: indices of dropped tasks. The history must outlive it.
    LeftOut(const History& history, const std::vector<std::uint32_t>& retried);

    bool contains(const Entry& entry) const;

  private:
    enum class Fate : std::uint8_t { kept, retried, removed };

    const History& history_;
    std::vector<Fate> fates_;  // by index
};

}  // namespace workflow
