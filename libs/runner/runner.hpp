// The shell round the workflow machine: starts tasks when they may start, has as many coroutines as there are
// attempts under way, and lets the machine decide what their ends lead to. Knows no signals, no command line,
// no pool but through the Submitter, and no state log but through the Ledger.
//
// One loop enters the results that have come into the ledger, and starts what may be started; a coroutine
// whose attempt is over goes on with the next task that may start, if there is one. Nothing of a decision is
// announced or started before it is durable; while the disk is busy, what was durable before goes on,
// and what ends meanwhile is the next commit.
#pragma once

#include "config/workflow_config.hpp"
#include "io/task_group.hpp"
#include "pool_client/submitter.hpp"
#include "runner/attempt_runner.hpp"
#include "runner/ledger.hpp"
#include "runner/lifecycle.hpp"
#include "runner/observer.hpp"
#include "runner/outcome.hpp"
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
    std::string run_id;
    std::string first_run_id;                     // of the run that began the log: itself, unless resumed
    std::size_t jobs = 4;                         // local processes at once
    pool_client::Submitter* submitter = nullptr;  // not needed for a config without Pool steps
    statelog::Journal* journal = nullptr;         // none: nothing is written
    Observer* observer = nullptr;                 // outlives the runner
    AttemptRunner* stand_in = nullptr;            // does all attempts in the Lifecycle's place
};

// What a run goes on from: its first tasks, or what a replayed history left.
struct Start {
    workflow::State state;
    std::vector<statelog::DroppedRecord> dropped;  // the first few
    std::size_t dropped_count = 0;
};

// For one run. All calls from the executor's thread; config and submitter must outlive it.
class Runner {
  public:
    Runner(boost::asio::any_io_executor executor, const config::WorkflowConfig& config, Settings settings,
           Start start);
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    // Runs the tasks of the state and all that follow from them. A terminal cancellation starts nothing more,
    // ends what runs, withdraws what is submitted, and is answered with End::cancelled; the calling coroutine
    // can not be cancelled any more then. When this returns, none of the run's coroutines or processes is
    // left, and what was done is in the log.
    boost::asio::awaitable<Outcome> run();

    // Nobody is left who could do the tasks: the run ends. Before run() as well.
    void agents_failed(std::string message) { give_up(Outcome::End::no_agents, std::move(message)); }

    // The state log has failed behind the runner's back: the run ends.
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
    boost::asio::awaitable<void> wait_for_news();
    boost::asio::awaitable<void> commit();
    boost::asio::awaitable<void> end_in_order();
    bool is_over() const;
    void enter_results();
    void begin_commit();
    bool is_cancelled() const;
    void start_ready();
    std::optional<Started> start_next();
    Attempt start(workflow::TaskId task);
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
    boost::asio::steady_timer news_;                // cancelled by wake()
    boost::asio::cancellation_state cancellation_;  // of run()
    bool awake_ = false;
    bool committing_ = false;
    std::vector<Finished> finished_;
    Outcome outcome_;
    bool ended_early_ = false;
};

}  // namespace runner
