#include "pool_daemon/alarms.hpp"

namespace pool_daemon {

void Alarms::after(std::chrono::steady_clock::duration delay, std::function<void()> action) {
    auto added = alarms_.emplace(std::chrono::steady_clock::now() + delay, std::move(action));
    if (added == alarms_.begin()) arm();
}

void Alarms::cancel() {
    alarms_.clear();
    timer_.cancel();
}

void Alarms::arm() {
    timer_.expires_at(alarms_.begin()->first);
    timer_.async_wait([this, alive = std::weak_ptr(alive_)](boost::system::error_code ec) {
        if (!ec && !alive.expired()) ring();
    });
}

void Alarms::ring() {
    auto now = std::chrono::steady_clock::now();
    while (!alarms_.empty() && alarms_.begin()->first <= now) {
        auto action = std::move(alarms_.begin()->second);
        alarms_.erase(alarms_.begin());
        action();
    }
    if (!alarms_.empty()) arm();
}

}  // namespace pool_daemon
