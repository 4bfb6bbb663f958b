// A timer on the active clock: if the process is suspended, the expiry moves by the length of the suspension.
#pragma once

#include "io/active_clock.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/system/error_code.hpp>

#include <functional>
#include <memory>

namespace io {

// To be used from the executor's thread only. One wait at a time.
class ActiveTimer {
  public:
    using Handler = std::function<void(boost::system::error_code)>;

    // With `ticks`, a waiting timer wakes the process at each full second of the steady clock, at the same
    // moment as all other timers, so that every suspension is detected. Without, for processes that must
    // sleep while nothing happens, a suspension is detected only if it lasts beyond the expiry, and only the
    // time after the expiry counts.
    explicit ActiveTimer(boost::asio::any_io_executor executor, bool ticks = true);
    ~ActiveTimer();
    ActiveTimer(const ActiveTimer&) = delete;
    ActiveTimer& operator=(const ActiveTimer&) = delete;

    // Takes effect with the next wait.
    void set_ticking(bool ticks);

    // Both cancel a pending wait, as cancel() does. A time that cannot be represented means never.
    void expires_after(ActiveClock::duration delay);
    void expires_at(ActiveClock::time_point expiry);
    ActiveClock::time_point expiry() const;

    // Calls `handler` at the expiry, or with operation_aborted after a cancellation. Never calls it from
    // within this function, nor after the timer was destroyed.
    void async_wait(Handler handler);
    void cancel();

  private:
    class Wait;
    std::shared_ptr<Wait> wait_;
};

}  // namespace io
