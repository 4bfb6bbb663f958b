// How long an agent pauses after its command has failed, or rests after it has exited with 75. Pure.
#pragma once

#include <algorithm>
#include <chrono>
#include <utility>

namespace agents {

class AgentRest {
  public:
    using Time = std::chrono::milliseconds;

    // The command has done a task.
    void succeeded() { *this = AgentRest(); }

    // The task was at fault, or may have been: no pause after the first failure in a row, then 1 s, doubled
    // up to 5 s. Otherwise a command that always fails would use up all tasks, or one impossible task, at
    // full speed.
    Time failed() {
        Time rest = std::exchange(after_failure_, std::clamp(2 * after_failure_, first_pause, longest_pause));
        return rest;
    }

    // The agent was at fault: 5 s, doubled up to 5 min.
    Time unavailable() {
        after_trouble_ = std::clamp(2 * after_trouble_, first_rest, longest_rest);
        return after_trouble_;
    }

  private:
    static constexpr Time first_pause{1000};
    static constexpr Time longest_pause{5000};
    static constexpr Time first_rest{5000};
    static constexpr Time longest_rest{300'000};

    Time after_failure_{0};
    Time after_trouble_{0};
};

}  // namespace agents
