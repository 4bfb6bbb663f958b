#include "io/active_timer.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace io {

namespace asio = boost::asio;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

// A wait that has completed in Asio can no longer be cancelled, and its handler runs later. So the handlers
// hold weak pointers and check the clock again.
class ActiveTimer::Wait : public std::enable_shared_from_this<Wait> {
  public:
    Wait(asio::any_io_executor executor, bool is_ticking) : ticks(is_ticking), timer_(executor) {}
    ~Wait() { forget_wake_up(); }
    Wait(const Wait&) = delete;
    Wait& operator=(const Wait&) = delete;

    void begin(Handler handler) {
        handler_ = std::move(handler);
        arm();
    }
    void cancel();

    ActiveClock::time_point expiry = ActiveClock::time_point::max();
    bool ticks;

  private:
    void arm();
    void woken();
    void forget_wake_up();
    PauseMeter::SteadyTime next_wake_up() const;

    asio::steady_timer timer_;
    Handler handler_;  // empty: no wait is pending
    std::optional<PauseMeter::SteadyTime> wake_up_;
};

PauseMeter::SteadyTime ActiveTimer::Wait::next_wake_up() const {
    auto due = process_pauses().steady(expiry);
    if (!ticks) return due;
    PauseMeter::SteadyTime whole_second = std::chrono::floor<std::chrono::seconds>(Clock::now());
    return std::min(due, whole_second + std::chrono::seconds(1));
}

void ActiveTimer::Wait::arm() {
    ActiveClock::now();  // accounts for an earlier pause, which must not extend this wait
    forget_wake_up();
    wake_up_ = next_wake_up();
    process_pauses().expect(*wake_up_);
    timer_.expires_at(*wake_up_);
    timer_.async_wait([weak = weak_from_this()](error_code ec) {
        if (auto self = weak.lock(); self && !ec) self->woken();
    });
}

void ActiveTimer::Wait::woken() {
    if (!handler_) return;
    if (ActiveClock::now() < expiry) return arm();
    forget_wake_up();
    std::exchange(handler_, nullptr)({});
}

void ActiveTimer::Wait::cancel() {
    timer_.cancel();
    forget_wake_up();
    if (!handler_) return;
    asio::post(timer_.get_executor(), [weak = weak_from_this(), handler = std::exchange(handler_, nullptr)] {
        if (!weak.expired()) handler(asio::error::operation_aborted);
    });
}

void ActiveTimer::Wait::forget_wake_up() {
    if (wake_up_) process_pauses().forget(*wake_up_);
    wake_up_.reset();
}

ActiveTimer::ActiveTimer(asio::any_io_executor executor, bool ticks)
    : wait_(std::make_shared<Wait>(std::move(executor), ticks)) {}

ActiveTimer::~ActiveTimer() = default;

void ActiveTimer::set_ticking(bool ticks) {
    wait_->ticks = ticks;
}

void ActiveTimer::expires_after(ActiveClock::duration delay) {
    auto now = ActiveClock::now();
    bool is_never = delay > ActiveClock::time_point::max() - now;
    expires_at(is_never ? ActiveClock::time_point::max() : now + delay);
}

void ActiveTimer::expires_at(ActiveClock::time_point expiry) {
    wait_->cancel();
    wait_->expiry = expiry;
}

ActiveClock::time_point ActiveTimer::expiry() const {
    return wait_->expiry;
}

void ActiveTimer::async_wait(Handler handler) {
    wait_->cancel();
    wait_->begin(std::move(handler));
}

void ActiveTimer::cancel() {
    wait_->cancel();
}

}  // namespace io
