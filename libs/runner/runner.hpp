// The shell around the workflow machine: starts tasks when they may start, has one coroutine for each attempt
// in progress, and lets the machine decide what follows from their ends. Knows no signals and no command
// line; uses the pool only through the Submitter, and the state log only through the Ledger.
//
// One loop enters the results that have arrived into the ledger, and starts the tasks that may start. A
// coroutine whose attempt has ended continues with the next task that may start, if there is one. Nothing
// that follows from a decision is announced or started before the decision is durable. While the disk is
// busy, tasks that are already durable continue, and the results that arrive go into the next commit.
#pragma once

#include "config/workflow_config.hpp"
#include "io/task_group.hpp"
#include "pool_client/submitter.hpp"
#include "runner/attempt_executor.hpp"
#include "runner/attempt_runner.hpp"
#include "runner/ledger.hpp"
#include "runner/observer.hpp"
#include "runner/outcome.hpp"
#include "runner/people.hpp"
#include "runner/result_files.hpp"
#include "runner/run_id.hpp"
#include "runner/submission_limit.hpp"
#include "runner/time_limit.hpp"
#include "runner/usage_meter.hpp"
#include "statelog/journal.hpp"
#include "statelog/replay.hpp"
#include "statelog/start.hpp"
#include "workflow/budget.hpp"
#include "workflow/counts.hpp"
#include "workflow/machine.hpp"
#include "workflow/persons_answer.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/steady_timer.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace runner {

struct Settings {
    RunId run_id;
    RunId first_run_id;                           // of the run that began the log: `run_id`, unless resumed
    std::size_t jobs = 4;                         // local processes at once
    pool_client::Submitter* submitter = nullptr;  // not needed for a config without Pool steps
    statelog::Journal* journal = nullptr;         // null: nothing is written
    Observer* observer = nullptr;                 // outlives the runner; may be null
    std::optional<config::BudgetLimits> budget = {};  // of the whole run, also before it was resumed
    std::vector<std::size_t> agents = {};             // as in SubmissionLimit
    OutputUse output = {};                            // outlives the runner
    TakeResult take_result = {};                      // of an earlier run; may be empty
    config::Bounds bounds = {};                       // max_run_seconds counts from the call of run()
    ResultFiles* results = nullptr;                   // outlives the runner; null without a journal
    AttemptRunner* stand_in = nullptr;    // if not null, does all attempts instead of the AttemptExecutor
    std::string attempts_directory = {};  // as for AttemptFiles; only used by the AttemptExecutor
    bool exit_when_waiting = false;       // the run ends when only questions are left
    // Called when only so many questions are left, of which at least one is new since the last call. May be
    // empty.
    std::function<void(std::size_t)> on_waiting = {};
};

// Runs one run. All calls from the executor's thread. Config and submitter must outlive it.
class Runner {
  public:
    Runner(boost::asio::any_io_executor executor, const config::WorkflowConfig& config, Settings settings,
           statelog::Start start);
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    // Runs the tasks of the state and all that follow from them. After a terminal cancellation nothing is
    // started any more, processes are ended, submissions are withdrawn, and the result is End::cancelled; the
    // calling coroutine can't be cancelled a second time. When this returns, none of the run's coroutines or
    // processes is left, and all results are in the log.
    boost::asio::awaitable<Outcome> run();

    // No agent is left that could do the tasks: the run ends. May be called before run().
    void agents_failed(std::string message) { give_up(Outcome::End::no_agents, std::move(message)); }

    // No agent is left that could do tasks of this step, for the reason in the message: the run winds down
    // as soon as one of its tasks is to be given to an agent, or if one has been. May be called before run().
    void step_unserved(config::StepId step, std::string message);

    // What agents have used so far, until run() returns the same in its outcome; and of the budget, which is
    // null if there is none.
    workflow::UsageTable usage() const { return usage_.table(); }
    const workflow::Budget* budget() const { return usage_.budget(); }

    // Starts nothing any more, gives no task to an agent, and withdraws the tasks that no agent has. What
    // runs ends as usual. Then, if anything is left to do, the run ends with this. Only the first call
    // counts. May be called before run().
    void wind_down(Outcome::End end, std::string message);

    // While it is paused, the run starts no attempt. Attempts that are being made go on, but tasks that no
    // agent has are withdrawn from the pool and wait. May be called before run().
    void set_paused(bool is_paused);
    bool is_paused() const { return is_paused_; }

    // How many local processes run at once, from now on.
    void set_jobs(std::size_t jobs) { jobs_.set_limit(jobs); }

    // The numbers of agents by StepId, as in Settings.
    void set_agents(const std::vector<std::size_t>& agents) { submission_limit_.set_agents(agents); }

    // The task waits no more.
    void answer(workflow::PersonsAnswer answer, People::Answered done) {
        people_.answer(std::move(answer), std::move(done));
    }

    // How many tasks wait for a person.
    std::size_t questions() const { return people_.size(); }

    // Counts the tasks and finallys so far.
    workflow::Counts counts() const { return workflow::counts_of(state_); }

    // The state log failed outside of a commit: the run ends.
    void log_failed(base::Error error);

  private:
    struct Started {
        Attempt attempt;
        Job job;
    };
    struct Finished {
        Attempt attempt;
        workflow::AttemptEnd end;
    };

    boost::asio::awaitable<void> run_attempt(Attempt attempt, Job job);
    boost::asio::awaitable<void> await_retry(workflow::TaskId task, std::chrono::milliseconds delay);
    boost::asio::awaitable<void> wait_for_wake();
    boost::asio::awaitable<void> commit();
    boost::asio::awaitable<void> shut_down();
    boost::asio::awaitable<void> withdraw_queued();
    bool may_submit(config::StepId step);
    bool withdraws() const { return wind_down_ || is_paused_ || time_is_up_; }
    void begin_time_limit();
    void end_time();
    void start_withdrawing();
    void put_back(const Attempt& attempt);
    AttemptExecutor::PoolCallbacks pool_callbacks(bool wants_activity);
    UsageMeter::Callbacks usage_callbacks();
    People::Callbacks people_callbacks();
    bool is_over() const;
    void enter_results();
    void begin_commit();
    bool is_cancelled() const;
    void start_ready();
    std::optional<Started> start_next();
    Attempt start(workflow::TaskId id);
    void announce_start(const Attempt& attempt, bool is_submitted) const;
    void announce(const Decision& decision);
    void announce_retry(const Decision& decision, const workflow::Failed& failed);
    void announce_reused(const Attempt& attempt, const workflow::ReusedFrom& from);
    void announce_drop(const Attempt& attempt, const workflow::Failed& failed);
    void announce_past_bound(const Attempt& attempt, const workflow::Failure& failure);
    void note_earlier(const statelog::Start& start);
    bool is_waiting() const;
    void note_waiting();
    void give_up(Outcome::End end, std::string message);
    void wake();
    Outcome outcome(std::chrono::steady_clock::time_point started);

    boost::asio::any_io_executor executor_;
    const config::WorkflowConfig& config_;
    workflow::State state_;
    Ledger ledger_;
    Jobs jobs_;
    Observer* observer_;
    std::shared_ptr<const output::Redaction> redaction_;  // may be null
    SubmissionLimit submission_limit_;
    AttemptExecutor attempt_executor_;
    AttemptRunner& attempts_;
    io::TaskGroup tasks_;
    io::TaskGroup commits_;                         // never cancelled
    boost::asio::steady_timer wake_timer_;          // cancelled by wake()
    boost::asio::cancellation_state cancellation_;  // of run()
    bool awake_ = false;
    bool committing_ = false;
    std::vector<Finished> finished_;
    Outcome outcome_;
    bool ended_early_ = false;
    std::size_t in_progress_ = 0;  // attempts that were started and have not ended
    struct WindDown {
        Outcome::End end;
        std::string message;
    };
    std::optional<WindDown> wind_down_;
    bool is_paused_ = false;
    bool is_withdrawing_ = false;  // withdraw_queued() goes on
    config::Bounds bounds_;
    std::optional<TimeLimit> time_limit_;  // while the run lasts
    bool time_is_up_ = false;
    std::array<bool, workflow::bound_count> has_told_of_bound_{};
    UsageMeter usage_;
    std::map<config::StepId, std::string> unserved_;  // why the steps have no agent
    People people_;
    bool exit_when_waiting_;
    std::function<void(std::size_t)> on_waiting_;
    bool is_waiting_ = false;  // as was told last
};

}  // namespace runner
