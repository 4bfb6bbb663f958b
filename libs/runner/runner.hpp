// The shell round the workflow machine: starts tasks when they may start, has each one's lifecycle in a
// coroutine of its own, and lets the machine decide what its end leads to. Knows no signals, no command line,
// no pool but through the Submitter.
//
// One loop does all that changes the state: it takes the results that have come, decides and applies them one
// by one, and only then announces and starts anything. Whatever makes a decision durable belongs between the
// two (R32).
#pragma once

#include "config/response.hpp"
#include "config/workflow_config.hpp"
#include "io/task_group.hpp"
#include "pool_client/submitter.hpp"
#include "runner/lifecycle.hpp"
#include "runner/outcome.hpp"
#include "workflow/machine.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace runner {

struct Settings {
    std::string run_id;
    std::size_t jobs = 4;                         // local processes at once (R25)
    pool_client::Submitter* submitter = nullptr;  // not needed for a config without Pool steps
};

// For one run. All calls from the executor's thread; config and submitter must outlive it.
class Runner {
  public:
    Runner(boost::asio::any_io_executor executor, const config::WorkflowConfig& config, Settings settings);
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    // Runs the tasks and all that follow from them. A terminal cancellation starts nothing more, ends what
    // runs, withdraws what is submitted, and is answered with End::cancelled; the calling coroutine can not
    // be cancelled any more then. When this returns, none of the run's coroutines or processes is left.
    boost::asio::awaitable<Outcome> run(std::vector<config::NewTask> tasks);

  private:
    struct Finished {
        Attempt attempt;
        workflow::AttemptResult result;
    };
    struct Settled {
        Attempt attempt;
        workflow::Group group;
        std::optional<std::chrono::milliseconds> retry_after;
    };

    boost::asio::awaitable<void> attend(Attempt attempt, Job job);
    boost::asio::awaitable<void> await_retry(workflow::TaskId task, std::chrono::milliseconds delay);
    boost::asio::awaitable<void> wait_for_news();
    void start_ready();
    void start(workflow::TaskId task, Job job);
    void settle();
    void apply(const workflow::Group& group);
    void announce(const Settled& settled);
    void announce_retry(const Settled& settled, const workflow::Failed& failed);
    void announce_drop(const Attempt& attempt, const workflow::Failed& failed);
    std::optional<std::chrono::milliseconds> delay_retry(const workflow::Group& group);
    void give_up(Outcome::End end, std::string message);
    void wake();
    Outcome outcome(std::chrono::steady_clock::time_point started);

    boost::asio::any_io_executor executor_;
    const config::WorkflowConfig& config_;
    workflow::State state_;
    Jobs jobs_;
    Lifecycle lifecycle_;
    io::TaskGroup tasks_;
    boost::asio::steady_timer news_;  // cancelled by wake()
    bool awake_ = false;
    std::minstd_rand random_{std::random_device{}()};  // for the jitter of waits
    std::vector<Finished> finished_;
    Outcome outcome_;
    bool ended_early_ = false;
};

}  // namespace runner
