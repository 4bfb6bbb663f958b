// The pool of a run, which another process or the run itself serves, and the submitter by which the run uses
// it.
#pragma once

#include "io/directory_watch.hpp"
#include "launch/run_options.hpp"
#include "pool_client/submitter.hpp"
#include "pool_daemon/pool_host.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace live_run {

// The run's own pool, "run-<run id>" in the root, which must have been located before.
pool_protocol::PoolDirectory own_pool(const std::string& root, const std::string& run_id);

// All calls from the executor's thread. The arguments must outlive it. End it with disconnect() and leave().
class RunPool {
  public:
    // `state_log`: the absolute path of the run's; empty if it has none.
    RunPool(boost::asio::any_io_executor executor, io::DirectoryWatch& watch,
            const launch::RunOptions& options, pool_protocol::PoolDirectory directory,
            const std::string& run_id, std::string state_log);

    // The pool tells that no agent has all labels of one of the run's tasks. Set it before open(); may be
    // empty.
    std::function<void(const std::string& message)> on_unmatched;

    // Call once. False if the run would have to host the pool but can't; the reason is in the log.
    bool open();

    // After open():
    pool_client::Submitter& submitter() { return *submitter_; }
    const pool_protocol::PoolDirectory& directory() const { return directory_; }
    bool is_hosted() const { return host_->is_hosting(); }
    pool::Load load() const { return host_->load(); }

    // Ends the submitter; nothing may be submitted any more.
    boost::asio::awaitable<void> disconnect();
    // Stops the run's own pool, and hands over any other that it hosts.
    boost::asio::awaitable<void> leave();

  private:
    using Start = pool_daemon::PoolHost::Start;
    void make_host();
    bool open_own();
    bool open_shared();
    pool_client::SubmitterOptions submitter_options();
    void report_outage(const std::string& message);

    boost::asio::any_io_executor executor_;
    io::DirectoryWatch& watch_;
    const launch::RunOptions& options_;
    pool_protocol::PoolDirectory directory_;
    const std::string& run_id_;
    std::string state_log_;
    std::optional<pool_daemon::PoolHost> host_;
    std::optional<pool_client::Submitter> submitter_;
    std::optional<std::chrono::steady_clock::time_point> last_outage_;
};

}  // namespace live_run
