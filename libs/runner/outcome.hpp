// How a run ended, as data, and as text for people.
#pragma once

#include "config/workflow_config.hpp"
#include "workflow/budget.hpp"
#include "workflow/state.hpp"
#include "workflow/usage.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace runner {

// A task, or a finally, that was dropped: it failed, and is not retried. A task that was past a bound is not
// among them.
struct DroppedTask {
    std::string label;    // "task 12 Analyze"
    std::string message;  // of its last failure; may have many lines
};

struct Outcome {
    enum class End {
        finished,          // nothing is left to do
        cancelled,         // by a terminal cancellation
        pool_unreachable,  // `message` says why
        no_agents,         // none of its agents can work; `message` says why
        budget_spent,      // the budget is spent, and not everything done
        waiting,           // only for people (Settings::exit_when_waiting)
        log_failed,        // the state log could not be written; `message` says why
    };

    bool all_well() const { return end == End::finished && dropped_count == 0; }

    End end = End::finished;
    std::string message;  // of a run that has finished: what was past a bound, or nothing
    std::vector<workflow::StepCounters> steps;  // by StepId
    std::uint64_t tasks_before = 0;  // of those in `steps`: those that ended before the run was resumed
    std::uint64_t reused = 0;        // tasks and finallys whose results were taken over, since the resume
    workflow::UsageTable usage;      // of the whole run, also before it was resumed
    std::optional<workflow::Budget> budget;  // if the run had one
    std::size_t unfinished = 0;              // tasks that had not ended when the run did
    std::vector<DroppedTask> dropped;        // the first ones
    std::size_t dropped_count = 0;           // of all
    std::chrono::steady_clock::duration elapsed{};
};

// The largest size of Outcome::dropped.
inline constexpr std::size_t dropped_shown = 10;

// For programs: "finished", "failed" (a task was dropped), "interrupted", "pool_unreachable", …
std::string_view result_name(const Outcome& outcome);

// How the run ended, in one line: "run finished: 12 tasks in 3.45 s"
std::string headline(const Outcome& outcome);
// The first tasks that were dropped after an attempt, and why; each line begins with a newline. Empty if
// there are none.
std::string failures(const Outcome& outcome);

// What the agents have used, by step, kind of agent and model, as far as they have told; each line begins
// with a newline. Empty if they have told nothing.
std::string usage(const config::WorkflowConfig& config, const Outcome& outcome);

// headline(), a table of the steps, usage(), and failures().
std::string summary(const config::WorkflowConfig& config, const Outcome& outcome);

}  // namespace runner
