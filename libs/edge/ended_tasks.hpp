// The tasks whose outcome an edge has written a short time ago. An engine that has lost an outcome may
// deliver such a task again.
#pragma once

#include "edge/engine.hpp"

#include <cstddef>
#include <deque>
#include <unordered_map>
#include <utility>

namespace edge {

class EndedTasks {
  public:
    // If there are more, the first are forgotten.
    static constexpr std::size_t most = 10'000;

    void add(const TaskId& task, Time until) {
        until_[task] = until;
        order_.emplace_back(until, task);
        if (order_.size() > most) forget_first();
    }
    bool contains(const TaskId& task, Time now) {
        while (!order_.empty() && order_.front().first <= now)
            forget_first();
        return until_.contains(task);
    }

  private:
    // The task may have been added anew since.
    void forget_first() {
        auto& [until, task] = order_.front();
        auto found = until_.find(task);
        if (found != until_.end() && found->second == until) until_.erase(found);
        order_.pop_front();
    }

    std::unordered_map<TaskId, Time> until_;
    std::deque<std::pair<Time, TaskId>> order_;
};

}  // namespace edge
