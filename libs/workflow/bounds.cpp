#include "workflow/bounds.hpp"

#include "base/text.hpp"

#include <array>
#include <numeric>
#include <utility>

namespace workflow {

namespace {

constexpr std::array all_bounds{Bound::max_tasks, Bound::max_depth, Bound::max_run_seconds};

Failure failure_of(Bound bound, std::string message) {
    Failure failure;
    failure.kind = Failure::Kind::past_bound;
    failure.name = bound_name(bound);
    failure.message = std::move(message);
    return failure;
}

// "880 of Loop, 20 of Note"
std::string counts_text(const config::WorkflowConfig& config, const std::vector<StepCounters>& steps,
                        Bound bound) {
    std::string text;
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (auto count = steps[i].past_bound[static_cast<std::size_t>(bound)]; count > 0)
            text += base::concat(text.empty() ? "" : ", ", count, " of ", config.steps[i].name);
    return text;
}

}  // namespace

std::string_view bound_name(Bound bound) {
    switch (bound) {
        case Bound::max_tasks:
            return "max_tasks";
        case Bound::max_depth:
            return "max_depth";
        case Bound::max_run_seconds:
            break;
    }
    return "max_run_seconds";
}

std::optional<Failure> past_bound(const config::Bounds& bounds, const Task& task, bool time_is_up) {
    if (task.finally_for) return std::nullopt;
    if (bounds.max_tasks && task.number > *bounds.max_tasks)
        return failure_of(Bound::max_tasks,
                          base::concat("not started: it is number ", task.number,
                                       " of the tasks, and max_tasks is ", *bounds.max_tasks));
    if (bounds.max_depth && task.depth > *bounds.max_depth)
        return failure_of(Bound::max_depth, base::concat("not started: its depth is ", task.depth,
                                                         ", and max_depth is ", *bounds.max_depth));
    if (time_is_up)
        return failure_of(Bound::max_run_seconds, "not started: the run has lasted max_run_seconds");
    return std::nullopt;
}

std::optional<Bound> bound_of(const Failure& failure) {
    if (failure.kind != Failure::Kind::past_bound) return std::nullopt;
    for (Bound bound : all_bounds)
        if (failure.name == bound_name(bound)) return bound;
    return std::nullopt;
}

std::uint64_t count_past_bounds(const std::vector<StepCounters>& steps) {
    std::uint64_t count = 0;
    for (const StepCounters& step : steps)
        count = std::accumulate(step.past_bound.begin(), step.past_bound.end(), count);
    return count;
}

std::string past_bounds_text(const config::WorkflowConfig& config, const std::vector<StepCounters>& steps) {
    std::string text;
    for (Bound bound : all_bounds)
        if (std::string counts = counts_text(config, steps, bound); !counts.empty())
            text += base::concat(text.empty() ? "" : "; ", "not started because of ", bound_name(bound), ": ",
                                 counts);
    return text;
}

}  // namespace workflow
