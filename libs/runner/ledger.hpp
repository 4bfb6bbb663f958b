// Takes the decisions of a run. A decision is applied to the state at once, so that the next one builds on
// it. It is written to the state log together with all others that are pending. Only when it is durable is it
// announced, and what follows from it started.
#pragma once

#include "base/error.hpp"
#include "config/workflow_config.hpp"
#include "runner/attempt.hpp"
#include "runner/result_files.hpp"
#include "statelog/journal.hpp"
#include "statelog/record.hpp"
#include "workflow/machine.hpp"
#include "workflow/running_usage.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
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

// The result of an equal task of an earlier run, which counts for this one; empty if there is none.
using TakeResult = std::function<std::optional<workflow::EarlierResult>(const workflow::Task&)>;

class Ledger {
  public:
    // If `journal` is null, nothing is written, and everything is durable at once. `take_result` may be
    // empty. `results` may be null, and is if `journal` is; it is told where the entries are.
    Ledger(const config::WorkflowConfig& config, workflow::State& state, statelog::Journal* journal,
           TakeResult take_result, ResultFiles* results, const config::Bounds& bounds);

    // Decides what follows from the attempt's end, and applies it.
    void enter(Attempt attempt, workflow::AttemptEnd end);

    // Decides what follows from the answer of a person to the task, which waits for one.
    void enter_answer(Attempt attempt, workflow::AttemptResult result, workflow::AnsweredBy by);

    // Submits the finallys that are due after a replay.
    void enter_due();

    // Completes the ready tasks that need no attempt, and those that follow from them: those that are past a
    // bound, and those whose result can be taken over. A part of them if they are many. Before that, none of
    // them may be started.
    void complete_without_attempt();

    // The run has lasted max_run_seconds: complete_without_attempt() drops all that is ready or waits for its
    // delay.
    void time_is_up();

    // The agents of the task's attempt have used this so far. It is written with the next commit.
    void note_usage(workflow::TaskId task, const workflow::AttemptUsage& used);

    // The attempt of the running task was not made, so the task is ready again.
    void put_back(workflow::TaskId task);

    // Whether there are decisions, or notes, that no commit has taken yet.
    bool has_uncommitted() const { return !batch_.groups_are_empty || !batch_.lines.empty(); }
    // Whether all decisions are durable.
    bool is_durable() const { return !committing_ && !has_uncommitted(); }

    // Makes all decisions so far durable, and returns them to be announced. At most one call at a time. After
    // an error the ledger can't be used any more.
    boost::asio::awaitable<base::Result<std::vector<Decision>>> commit();

    // Only tasks that became ready before this turn may be started: those of later turns are not durable, or
    // complete_without_attempt() has not seen them.
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
    bool may_need_no_attempt() const { return take_result_ || bounds_.any(); }
    void enter_dropped(workflow::TaskId id, workflow::Failure failure);
    void enter_reused(workflow::TaskId id, workflow::EarlierResult result);
    std::uint64_t durable_before() const;
    std::optional<std::chrono::milliseconds> delay_retry(const workflow::Group& group);

    const config::WorkflowConfig& config_;
    workflow::State& state_;
    statelog::Journal* journal_;
    Batch batch_;
    bool committing_ = false;
    std::uint64_t committing_from_ = 0;  // the first turn of the decisions that are being committed
    TakeResult take_result_;
    config::Bounds bounds_;
    bool time_is_up_ = false;
    ResultFiles* results_;
    std::uint64_t log_end_;  // of what the commits have taken, in bytes
    std::deque<workflow::TaskId>
        unseen_;  // became ready and are to be seen by complete_without_attempt(), by their turns
    std::minstd_rand random_{std::random_device{}()};  // for the jitter of retry_backoff
    std::vector<workflow::StepCounters> steps_;
    std::size_t unfinished_;
};

}  // namespace runner
