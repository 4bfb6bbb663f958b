// One `barnum run` inside an io_context: starts the pool, the agents, and the runner with its state log,
// handles signals, and ends all of these in the right order. Decides nothing about tasks.
#pragma once

#include "config/workflow_config.hpp"
#include "io/directory_watch.hpp"
#include "io/task_group.hpp"
#include "pool_protocol/pool_directory.hpp"
#include "progress.hpp"
#include "run_agents.hpp"
#include "run_log.hpp"
#include "run_options.hpp"
#include "run_pool.hpp"
#include "runner/outcome.hpp"
#include "runner/runner.hpp"
#include "statelog/journal.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/signal_set.hpp>

#include <memory>
#include <optional>
#include <string>

namespace barnum {

// All calls from the executor's thread. The options must outlive it.
class WorkflowRun {
  public:
    // `guard` may be null.
    WorkflowRun(boost::asio::any_io_executor executor, const RunOptions& options,
                pool_protocol::PoolDirectory directory, Beginning beginning, process::Guard* guard);
    ~WorkflowRun();

    // Returns when the run has ended and nothing of it is left in the io_context.
    boost::asio::awaitable<void> main();

    int exit_code() const { return signal_ ? 128 + signal_ : exit_code_; }

  private:
    boost::asio::awaitable<void> work();
    boost::asio::awaitable<void> watch_signals();
    void start_agents();
    std::optional<progress::Agents> agents() const;
    boost::asio::awaitable<void> end_all_but_log();
    boost::asio::awaitable<void> close_log();
    void report_outcome();
    void report_next_command() const;

    boost::asio::any_io_executor executor_;
    const RunOptions& options_;
    std::shared_ptr<const config::WorkflowConfig> config_;
    std::string run_id_;
    std::string first_run_id_;
    pool_protocol::PoolDirectory directory_;
    runner::Start start_;
    std::optional<statelog::OldLog> resumed_;
    std::string log_path_;
    statelog::Journal journal_;
    std::unique_ptr<Progress> progress_;

    boost::asio::signal_set signals_;
    std::optional<io::DirectoryWatch> watch_;
    std::optional<RunPool> pool_;  // none without Pool steps
    process::Guard* guard_;
    std::optional<RunAgents> agents_;
    io::TaskGroup work_;
    io::TaskGroup background_;
    std::optional<runner::Runner> runner_;
    std::optional<runner::Outcome> outcome_;  // reported at the very end, so that it is the last to be read
    std::string agents_failure_;              // set when all agents have ended
    int signal_ = 0;                          // the signal that ended the run; 0: none
    int exit_code_ = cli::ExitCode::failure;
};

}  // namespace barnum
