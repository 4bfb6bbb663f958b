// Takes the decisions of a run. A decision is applied to the state at once, so that the next one builds on
// it. It is written to the state log together with all others that are pending. Only when it is durable is it
// announced, and what follows from it started.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "runner/attempt.hpp"
#include "statelog/journal.hpp"
#include "statelog/record.hpp"
#include "workflow/machine.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace runner {

// An attempt that has ended, and what follows from it.
struct Decision {
    Attempt attempt;
    workflow::Group group;
    std::optional<std::chrono::milliseconds> retry_after;  // none: at once, or no retry

    const workflow::TaskCompleted& completed() const {
        return std::get<workflow::TaskCompleted>(group.front());
    }
};

class Ledger {
  public:
    // If `journal` is null, nothing is written, and everything is durable at once.
    Ledger(const config::WorkflowConfig& config, workflow::State& state, statelog::Journal* journal);

    // Decides what follows from the attempt's end, and applies it.
    void enter(Attempt attempt, workflow::AttemptResult result);

    // Submits the finallys that are due after a replay.
    void enter_due();

    // Whether there are decisions that no commit has taken yet.
    bool has_uncommitted() const { return !batch_.groups_are_empty; }
    // Whether all decisions are durable.
    bool is_durable() const { return !committing_ && !has_uncommitted(); }

    // Makes all decisions so far durable, and returns them to be announced. At most one call at a time. After
    // an error the ledger can't be used any more.
    boost::asio::awaitable<base::Result<std::vector<Decision>>> commit();

    // Only tasks that became ready before this turn may be started: those of later turns are not durable.
    std::uint64_t startable_before() const;

    // The counters, and the number of live tasks, after the last decision that is durable.
    const std::vector<workflow::StepCounters>& steps() const { return steps_; }
    std::size_t unfinished() const { return unfinished_; }

  private:
    struct Batch {
        std::string lines;
        std::vector<Decision> decisions;
        std::uint64_t first_turn = 0;
        bool groups_are_empty = true;
    };

    void apply(const workflow::Group& group, std::optional<statelog::Time> started);
    std::optional<std::chrono::milliseconds> delay_retry(const workflow::Group& group);

    const config::WorkflowConfig& config_;
    workflow::State& state_;
    statelog::Journal* journal_;
    Batch batch_;
    bool committing_ = false;
    std::uint64_t committing_from_ = 0;                // the first turn of what is being committed
    std::minstd_rand random_{std::random_device{}()};  // for the jitter of retry_backoff
    std::vector<workflow::StepCounters> steps_;
    std::size_t unfinished_;
};

}  // namespace runner
