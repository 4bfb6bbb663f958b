// One attempt at a task, alone: with a pool and agents if it needs them, but without a run, its record and
// its state log. Nothing follows from its end. Handles signals.
#pragma once

#include "base/exit_code.hpp"
#include "io/task_group.hpp"
#include "launch/run_options.hpp"
#include "live_run/ending_signals.hpp"
#include "live_run/pool_side.hpp"
#include "output/redaction.hpp"
#include "pool_protocol/pool_directory.hpp"
#include "process/guard.hpp"
#include "runner/attempt.hpp"
#include "runner/attempt_executor.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <memory>
#include <optional>
#include <string>

namespace live_run {

struct ReplayPlan {
    std::shared_ptr<const config::WorkflowConfig> config;
    runner::Attempt attempt;
    std::string run_id;  // of the replay's own, for the environment and the pool
    pool_protocol::PoolDirectory pool;
    std::string log;  // of the run

    bool uses_pool() const { return !attempt.is_finally && config->step(attempt.step).is_pool(); }
};

// All calls from the executor's thread. The options must outlive it.
class TaskReplay {
  public:
    // `guard` may be null.
    TaskReplay(boost::asio::any_io_executor executor, const launch::RunOptions& options, ReplayPlan plan,
               process::Guard* guard);

    // Returns when the attempt has ended and nothing of it is left in the io_context.
    boost::asio::awaitable<void> main();

    // The end of the attempt, after main(). If it has none, the reason was logged.
    const std::optional<workflow::AttemptEnd>& end() const { return end_; }
    // The exit code if it was interrupted, or has no end.
    std::optional<int> exit_code() const;

  private:
    boost::asio::awaitable<void> work();
    boost::asio::awaitable<void> run_attempt();
    bool open_pool();
    RunAgents::Callbacks agent_callbacks();
    void give_up(const std::string& message);

    boost::asio::any_io_executor executor_;
    const launch::RunOptions& options_;
    ReplayPlan plan_;
    std::shared_ptr<const output::Redaction> redaction_;
    EndingSignals signals_;
    PoolSide pool_side_;
    io::TaskGroup work_;
    io::TaskGroup background_;
    std::optional<workflow::AttemptEnd> end_;
    bool has_given_up_ = false;
    int exit_code_ = base::ExitCode::failure;
};

}  // namespace live_run
