// Actions to run later, on one timer: none is pending while nothing is to be done, so that an idle daemon
// sleeps.
#pragma once

#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <memory>

namespace pool_daemon {

// All calls from the executor's thread. Actions that have not run are dropped with the object.
class TimerQueue {
  public:
    explicit TimerQueue(boost::asio::any_io_executor executor) : timer_(executor) {}

    void after(std::chrono::steady_clock::duration delay, std::function<void()> action);
    // Drops all actions.
    void cancel();

  private:
    void arm();
    void run_due();

    boost::asio::steady_timer timer_;
    std::multimap<std::chrono::steady_clock::time_point, std::function<void()>> actions_;
    std::shared_ptr<int> alive_ = std::make_shared<int>();  // a timer that has expired can't be cancelled
};

}  // namespace pool_daemon
