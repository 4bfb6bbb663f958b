// A timer on the active clock: a suspension of the process moves its expiry.
#pragma once

#include "io/active_clock.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/system/error_code.hpp>

#include <functional>
#include <memory>

namespace io {

// From one thread, the executor's. One wait at a time.
class ActiveTimer {
  public:
    using Handler = std::function<void(boost::system::error_code)>;

    // With `ticks` it wakes the process at each whole second of the steady clock as it waits, at the same
    // moment as every other one, so that each suspension is seen. Without, for who must sleep while nothing
    // happens, only one that lasts beyond the expiry is, by what it lasts longer.
    explicit ActiveTimer(boost::asio::any_io_executor executor, bool ticks = true);
    ~ActiveTimer();
    ActiveTimer(const ActiveTimer&) = delete;
    ActiveTimer& operator=(const ActiveTimer&) = delete;

    // For the next wait.
    void set_ticking(bool ticks);

    // Either cancels the wait, as cancel() does. A time that is too far away is never.
    void expires_after(ActiveClock::duration delay);
    void expires_at(ActiveClock::time_point expiry);
    ActiveClock::time_point expiry() const;

    // Calls `handler` at the expiry, or with operation_aborted after a cancellation; never from within this
    // call, and not at all once the timer is destroyed.
    void async_wait(Handler handler);
    void cancel();

  private:
    class Wait;
    std::shared_ptr<Wait> wait_;
};

}  // namespace io
