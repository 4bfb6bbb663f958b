#include "pool_daemon/timer_queue.hpp"

namespace pool_daemon {

void TimerQueue::after(std::chrono::steady_clock::duration delay, std::function<void()> action) {
    auto added = actions_.emplace(std::chrono::steady_clock::now() + delay, std::move(action));
    if (added == actions_.begin()) arm();
}

void TimerQueue::cancel() {
    actions_.clear();
    timer_.cancel();
}

void TimerQueue::arm() {
    timer_.expires_at(actions_.begin()->first);
    timer_.async_wait([this, alive = std::weak_ptr(alive_)](boost::system::error_code ec) {
        if (!ec && !alive.expired()) run_due();
    });
}

void TimerQueue::run_due() {
    auto now = std::chrono::steady_clock::now();
    while (!actions_.empty() && actions_.begin()->first <= now) {
        auto action = std::move(actions_.begin()->second);
        actions_.erase(actions_.begin());
        action();
    }
    if (!actions_.empty()) arm();
}

}  // namespace pool_daemon
