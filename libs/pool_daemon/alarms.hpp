// Things to do later, on one timer: none is pending while nothing is to be done, so that an idle daemon
// sleeps.
#pragma once

#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <memory>

namespace pool_daemon {

// All calls from the executor's thread. Alarms that have not gone off are dropped with the object.
class Alarms {
  public:
    explicit Alarms(boost::asio::any_io_executor executor) : timer_(executor) {}

    void after(std::chrono::steady_clock::duration delay, std::function<void()> action);
    void cancel();

  private:
    void arm();
    void ring();

    boost::asio::steady_timer timer_;
    std::multimap<std::chrono::steady_clock::time_point, std::function<void()>> alarms_;
    std::shared_ptr<int> alive_ = std::make_shared<int>();  // a timer that has gone off can't be cancelled
};

}  // namespace pool_daemon
