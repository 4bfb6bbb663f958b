// When something is due for each task: at most one time for each.
#pragma once

#include "edge/engine.hpp"

#include <optional>
#include <set>
#include <utility>

namespace edge {

class Schedule {
  public:
    // `due` is the task's time, which the caller keeps; it is replaced by `at`.
    void set(const TaskId& task, std::optional<Time>& due, std::optional<Time> at) {
        if (due == at) return;
        if (due) order_.erase({*due, task});
        due = at;
        if (due) order_.emplace(*due, task);
    }
    std::optional<Time> next() const {
        return order_.empty() ? std::nullopt : std::optional(order_.begin()->first);
    }
    // The first task that is due; empty if there is none. The caller sets another time for it, or none.
    std::optional<TaskId> due(Time now) const {
        if (order_.empty() || order_.begin()->first > now) return std::nullopt;
        return order_.begin()->second;
    }

  private:
    std::set<std::pair<Time, TaskId>> order_;
};

}  // namespace edge
