// What agents of this host do at tasks of other hosts' submitters, until it is sent: the newest of each task,
// and not more often than in an interval, however many agents there are. Pure.
#pragma once

#include "edge/engine.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace edge_shell {

class ActivityOutbox {
  public:
    using Texts = std::unordered_map<edge::TaskId, std::string>;
    static constexpr std::chrono::seconds interval{1};

    void put(const edge::TaskId& task, std::string text) { texts_.insert_or_assign(task, std::move(text)); }
    // When the texts are to be taken; may be past. Empty: there is nothing.
    std::optional<edge::Time> due() const { return texts_.empty() ? std::nullopt : std::optional(next_); }
    Texts take(edge::Time now) {
        next_ = now + interval;
        return std::exchange(texts_, {});
    }

  private:
    Texts texts_;
    edge::Time next_ = edge::Time::min();
};

}  // namespace edge_shell
