// What has been decided in a run. A decision is applied to the state at once, so that the next one builds on
// it; it is written to the state log together with all others of the moment; and only when it is durable is
// it announced, and what follows from it started.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "runner/local_process.hpp"
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

// An attempt that is over, and what that leads to.
struct Decision {
    Attempt attempt;
    workflow::Group group;
    std::optional<std::chrono::milliseconds> retry_after;  // none: at once, or never

    const workflow::TaskCompleted& completed() const {
        return std::get<workflow::TaskCompleted>(group.front());
    }
};

class Ledger {
  public:
    // `journal` null: nothing is written, and everything is durable at once.
    Ledger(const config::WorkflowConfig& config, workflow::State& state, statelog::Journal* journal);

    // Decides what the attempt's end leads to, and applies it.
    void enter(Attempt attempt, workflow::AttemptResult result);

    // The finallys that a replayed history leaves due.
    void enter_due();

    // Whether something is entered that no commit has taken yet.
    bool has_news() const { return !batch_.groups_are_empty; }
    // Whether all that was entered is durable.
    bool is_durable() const { return !committing_ && !has_news(); }

    // Makes what is entered durable, and returns it to be announced. One at a time. The error is final.
    boost::asio::awaitable<base::Result<std::vector<Decision>>> commit();

    // Tasks that became ready before this turn may be started.
    std::uint64_t startable_before() const;

    // The counters, and the number of live tasks, as far as they are durable.
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
    std::minstd_rand random_{std::random_device{}()};  // for the jitter of waits
    std::vector<workflow::StepCounters> steps_;
    std::size_t unfinished_;
};

}  // namespace runner
