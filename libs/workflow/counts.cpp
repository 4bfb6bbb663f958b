#include "workflow/counts.hpp"

namespace workflow {

std::uint64_t tasks_ended(const std::vector<StepCounters>& steps) {
    std::uint64_t tasks = 0;
    for (const auto& counters : steps)
        tasks += counters.done + counters.dropped + counters.finally_done + counters.finally_dropped;
    return tasks;
}

Counts counts_of(const State& state) {
    Counts counts{0, state.tasks.size(), 0};
    for (const StepCounters& step : state.steps) {
        counts.done += step.done + step.finally_done;
        counts.dropped += step.dropped + step.finally_dropped;
    }
    return counts;
}

}  // namespace workflow
