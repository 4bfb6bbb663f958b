// The runs that somebody looks at, or did a while ago: one Follower each. Those that nobody watches are
// dropped after a while, and sooner if they take much memory.
#pragma once

#include "io/task_group.hpp"
#include "serve_shell/follower.hpp"
#include "serve_shell/runs_watch.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <map>
#include <memory>
#include <string>

namespace serve_shell {

// To be used from the executor's thread only.
class Followers {
  public:
    // `runs` must outlive it.
    Followers(const boost::asio::any_io_executor& executor, const RunsWatch& runs);

    // The run's follower.
    std::shared_ptr<Follower> of(const runs::FoundRun& run);

    // Whether the follower of the run exists already.
    bool has(const std::string& id) const { return kept_.contains(id); }

    // Returns when none reads any more.
    boost::asio::awaitable<void> stop();

  private:
    struct Kept {
        std::shared_ptr<Follower> follower;
        std::chrono::steady_clock::time_point used;
    };

    void drop_unused();
    std::map<std::string, Kept>::iterator longest_unused();
    std::size_t size() const;

    boost::asio::any_io_executor executor_;
    const RunsWatch& runs_;
    std::map<std::string, Kept> kept_;  // by id
    boost::asio::steady_timer timer_;   // runs while there are any
    bool timer_runs_ = false;
    io::TaskGroup tasks_;
    std::shared_ptr<int> alive_ = std::make_shared<int>();
};

}  // namespace serve_shell
