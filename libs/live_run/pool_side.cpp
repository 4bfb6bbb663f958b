#include "live_run/pool_side.hpp"

#include "launch/begin_run.hpp"

#include <utility>

namespace live_run {

namespace asio = boost::asio;

PoolSide::PoolSide(asio::any_io_executor executor, const launch::RunOptions& options,
                   const config::WorkflowConfig& config, const std::string& run_id, std::string state_log,
                   process::Guard* guard)
    : executor_(std::move(executor)),
      options_(options),
      config_(config),
      run_id_(run_id),
      state_log_(std::move(state_log)),
      guard_(guard) {}

bool PoolSide::open(pool_protocol::PoolDirectory directory, Callbacks callbacks) {
    watch_.emplace(executor_);
    pool_.emplace(executor_, *watch_, options_, std::move(directory), run_id_, state_log_);
    if (options_.fail_fast && !options_.has_own_pool())
        pool_->on_unmatched = std::move(callbacks.on_unmatched);
    if (!pool_->open()) return false;
    agents_.emplace(executor_, *watch_, *pool_, options_, config_, run_id_, guard_,
                    launch::transcripts_directory(options_, state_log_), std::move(callbacks.agents));
    agents_->start();
    return true;
}

asio::awaitable<void> PoolSide::disconnect() {
    if (agents_) co_await agents_->stop();
    if (pool_) co_await pool_->disconnect();
}

// The pool stays as an object: whoever was given its submitter may still have that.
asio::awaitable<void> PoolSide::leave() {
    if (pool_) co_await pool_->leave();
    agents_.reset();
    watch_.reset();
}

}  // namespace live_run
