// One `barnum run` inside an io_context: the pool (somebody's, or hosted here), agents, signals, and the
// runner with its state log; and their end in the right order. Decides nothing about tasks.
#pragma once

#include "config/workflow_config.hpp"
#include "io/directory_watch.hpp"
#include "io/task_group.hpp"
#include "pool_client/submitter.hpp"
#include "pool_daemon/daemon.hpp"
#include "pool_protocol/pool_directory.hpp"
#include "progress.hpp"
#include "run_agents.hpp"
#include "run_log.hpp"
#include "run_options.hpp"
#include "runner/outcome.hpp"
#include "runner/runner.hpp"
#include "statelog/journal.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/signal_set.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace barnum {

// All calls from the executor's thread. The options must outlive it.
class Session {
  public:
    // `guard` may be null.
    Session(boost::asio::any_io_executor executor, const RunOptions& options,
            pool_protocol::PoolDirectory directory, Beginning beginning, process::Guard* guard);
    ~Session();

    // Returns when all is over and nothing is left in the io_context.
    boost::asio::awaitable<void> main();

    int exit_code() const { return signal_ ? 128 + signal_ : exit_code_; }

  private:
    boost::asio::awaitable<void> work();
    boost::asio::awaitable<void> watch_signals();
    boost::asio::awaitable<void> serve_pool();
    boost::asio::awaitable<void> take_over_pool();
    boost::asio::awaitable<void> take_over_at_once();
    boost::asio::awaitable<void> stop_pool();
    boost::asio::awaitable<void> leave_pool();

    enum class Hosting { begun, taken, failed };
    bool prepare_pool();
    bool prepare_own_pool();
    Hosting host_pool();
    void report_outage(const std::string& message);
    std::optional<progress::Agents> agents() const;
    void start_agents();
    boost::asio::awaitable<void> close_log();
    void report(const runner::Outcome& outcome);
    void report_what_next() const;

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
    std::unique_ptr<pool_daemon::Daemon> daemon_;
    std::optional<pool_client::Submitter> submitter_;
    process::Guard* guard_;
    std::optional<RunAgents> agents_;
    io::TaskGroup work_;
    io::TaskGroup background_;
    std::optional<runner::Runner> runner_;
    std::optional<runner::Outcome> outcome_;  // reported when all else is over, so that it stands last
    std::string agents_failure_;              // set when all of them have ended
    std::optional<std::chrono::steady_clock::time_point> last_outage_;
    bool awaits_takeover_ = false;  // by itself, once the pool has been away for a while
    bool takes_over_ = false;       // was asked to host the pool, and waits for its lock
    bool stop_requested_ = false;   // the hosted pool, by somebody who wants it gone
    int signal_ = 0;                // the one that ended the run
    int exit_code_ = cli::ExitCode::failure;
};

}  // namespace barnum
