// Schedules actions with a single timer, which is set only while actions are pending, so that an idle daemon
// sleeps.
#pragma once

#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <memory>

namespace pool_daemon {

// To be used from the executor's thread only. Pending actions are dropped when the object is destroyed.
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
    std::shared_ptr<int> alive_ = std::make_shared<int>();  // a timer that has expired cannot be cancelled
};

}  // namespace pool_daemon
