// One `barnum run` inside an io_context: the pool (somebody's, or hosted here), agents, signals, and the
// runner; and their end in the right order. Decides nothing about tasks.
#pragma once

#include "config/response.hpp"
#include "config/workflow_config.hpp"
#include "io/directory_watch.hpp"
#include "io/task_group.hpp"
#include "pool_client/agent_loop.hpp"
#include "pool_client/submitter.hpp"
#include "pool_daemon/daemon.hpp"
#include "pool_protocol/pool_directory.hpp"
#include "run_options.hpp"
#include "runner/outcome.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/signal_set.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace barnum {

// All calls from the executor's thread. Options and config must outlive it.
class Session {
  public:
    Session(boost::asio::any_io_executor executor, const RunOptions& options,
            const config::WorkflowConfig& config, std::string run_id, pool_protocol::PoolDirectory directory,
            std::vector<config::NewTask> tasks);
    ~Session();

    // Returns when all is over and nothing is left in the io_context.
    boost::asio::awaitable<void> main();

    int exit_code() const { return signal_ ? 128 + signal_ : exit_code_; }

  private:
    boost::asio::awaitable<void> work();
    boost::asio::awaitable<void> watch_signals();
    boost::asio::awaitable<void> serve_pool();
    boost::asio::awaitable<void> take_over_pool();
    boost::asio::awaitable<void> keep_agent(pool_client::AgentOptions options);
    boost::asio::awaitable<void> stop_pool();

    bool prepare_pool();
    bool host_pool();
    void start_agents();
    void report(const runner::Outcome& outcome);

    boost::asio::any_io_executor executor_;
    const RunOptions& options_;
    const config::WorkflowConfig& config_;
    std::string run_id_;
    pool_protocol::PoolDirectory directory_;
    std::vector<config::NewTask> tasks_;

    boost::asio::signal_set signals_;
    std::optional<io::DirectoryWatch> watch_;
    std::unique_ptr<pool_daemon::Daemon> daemon_;
    std::optional<pool_client::Submitter> submitter_;
    io::TaskGroup work_;
    io::TaskGroup agents_;
    io::TaskGroup background_;
    std::optional<runner::Outcome> outcome_;  // reported when all else is over, so that it stands last
    bool told_to_stop_ = false;               // the hosted pool, by somebody who wants it gone
    int signal_ = 0;                          // the one that ended the run
    int exit_code_ = cli::ExitCode::failure;
};

}  // namespace barnum
