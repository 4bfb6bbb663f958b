// What does the Pool steps of a run, or the one task of a replay: the pool, and the agents that work for it
// alone. Ends them in the right order.
#pragma once

#include "config/workflow_config.hpp"
#include "io/directory_watch.hpp"
#include "launch/run_options.hpp"
#include "live_run/run_agents.hpp"
#include "live_run/run_pool.hpp"
#include "pool_protocol/pool_directory.hpp"
#include "process/guard.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <optional>
#include <string>

namespace live_run {

// All calls from the executor's thread. The arguments must outlive it. End it with disconnect() and leave().
class PoolSide {
  public:
    struct Callbacks {
        // With --fail-fast, and not for a pool of the run's own: no agent has all labels of one of its tasks.
        std::function<void(const std::string& message)> on_unmatched;
        RunAgents::Callbacks agents;
    };

    // `guard` may be null. `state_log`: the absolute path of the run's; empty if it has none.
    PoolSide(boost::asio::any_io_executor executor, const launch::RunOptions& options,
             const config::WorkflowConfig& config, const std::string& run_id, std::string state_log,
             process::Guard* guard);

    // Call once. False if the run would have to host the pool but can't; the reason is in the log.
    bool open(pool_protocol::PoolDirectory directory, Callbacks callbacks);

    bool is_open() const { return agents_.has_value(); }
    bool is_hosted() const { return is_open() && pool_->is_hosted(); }
    // After open() has returned true:
    RunPool& pool() { return *pool_; }
    const RunPool& pool() const { return *pool_; }
    RunAgents& agents() { return *agents_; }
    const RunAgents& agents() const { return *agents_; }

    // Ends the agents and the submitter, which still need the pool's daemon for that; nothing may be
    // submitted any more.
    boost::asio::awaitable<void> disconnect();
    // Stops the run's own pool, and hands over any other that it hosts. Nothing is open any more.
    boost::asio::awaitable<void> leave();

  private:
    boost::asio::any_io_executor executor_;
    const launch::RunOptions& options_;
    const config::WorkflowConfig& config_;
    const std::string& run_id_;
    std::string state_log_;
    process::Guard* guard_;
    std::optional<io::DirectoryWatch> watch_;
    std::optional<RunPool> pool_;
    std::optional<RunAgents> agents_;
};

}  // namespace live_run
