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
#include "runner/attempt_runner.hpp"
#include "runner/ledger.hpp"
#include "runner/lifecycle.hpp"
#include "runner/observer.hpp"
#include "runner/outcome.hpp"
#include "runner/run_id.hpp"
#include "statelog/journal.hpp"
#include "statelog/replay.hpp"
#include "workflow/machine.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
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
    AttemptRunner* stand_in = nullptr;            // if not null, does all attempts instead of the Lifecycle
};

// Where a run begins: its first tasks, or the end of a replayed history.
struct Start {
    workflow::State state;
    std::vector<statelog::DroppedRecord> dropped;  // the first ones
    std::size_t dropped_count = 0;                 // of all
};

// Runs one run. All calls from the executor's thread. Config and submitter must outlive it.
class Runner {
  public:
    Runner(boost::asio::any_io_executor executor, const config::WorkflowConfig& config, Settings settings,
           Start start);
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    // Runs the tasks of the state and all that follow from them. After a terminal cancellation nothing is
    // started any more, processes are ended, submissions are withdrawn, and the result is End::cancelled; the
    // calling coroutine can't be cancelled a second time. When this returns, none of the run's coroutines or
    // processes is left, and all results are in the log.
    boost::asio::awaitable<Outcome> run();

    // No agent is left that could do the tasks: the run ends. May be called before run().
    void agents_failed(std::string message) { give_up(Outcome::End::no_agents, std::move(message)); }

    // The state log failed outside of a commit: the run ends.
    void log_failed(base::Error error);

  private:
    struct Started {
        Attempt attempt;
        Job job;
    };
    struct Finished {
        Attempt attempt;
        workflow::AttemptResult result;
    };

    boost::asio::awaitable<void> run_attempt(Attempt attempt, Job job);
    boost::asio::awaitable<void> await_retry(workflow::TaskId task, std::chrono::milliseconds delay);
    boost::asio::awaitable<void> wait_for_wake();
    boost::asio::awaitable<void> commit();
    boost::asio::awaitable<void> shut_down();
    bool is_over() const;
    void enter_results();
    void begin_commit();
    bool is_cancelled() const;
    void start_ready();
    std::optional<Started> start_next();
    Attempt start(workflow::TaskId id);
    void announce(const Decision& decision);
    void announce_retry(const Decision& decision, const workflow::Failed& failed);
    void announce_drop(const Attempt& attempt, const workflow::Failed& failed);
    void note_earlier(const Start& start);
    void give_up(Outcome::End end, std::string message);
    void wake();
    Outcome outcome(std::chrono::steady_clock::time_point started);

    boost::asio::any_io_executor executor_;
    const config::WorkflowConfig& config_;
    workflow::State state_;
    Ledger ledger_;
    Jobs jobs_;
    Observer* observer_;
    Lifecycle lifecycle_;
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
};

}  // namespace runner
