// Tells when a run has lasted for a given time, without the times in which its user has paused it and those
// in which its process was suspended.
#pragma once

#include "io/active_timer.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <functional>

namespace runner {

// To be used from the executor's thread only. Begins paused.
class TimeLimit {
  public:
    // `on_end` is called once, and not after this object was destroyed.
    TimeLimit(boost::asio::any_io_executor executor, std::chrono::duration<double> limit,
              std::function<void()> on_end);

    // The time counts from now on, or not. Calls that change nothing have no effect.
    void go_on();
    void pause();

  private:
    io::ActiveTimer timer_;
    io::ActiveClock::duration left_;
    std::function<void()> on_end_;
    bool counts_ = false;
};

}  // namespace runner
