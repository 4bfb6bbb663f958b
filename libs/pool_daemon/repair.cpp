#include "pool_daemon/repair.hpp"

#include "io/log.hpp"

#include <algorithm>
#include <utility>

namespace pool_daemon {

namespace {

constexpr std::chrono::milliseconds longest_delay{5000};

}  // namespace

// Delayed: the process that removed a directory may be about to remove the next one.
void Repair::begin(const std::string& path) {
    if (ended_ || std::exchange(under_way_, true)) return;
    io::log::error("a part of the pool in ", path, " was removed; creating it again");
    timers_.after(first_delay, [this] { attempt(); });
}

void Repair::attempt() {
    under_way_ = false;
    if (ended_) return;
    auto made = make_();
    if (made.has_value()) {
        delay_ = first_delay;
        problem_.clear();
        return;
    }
    if (std::exchange(problem_, made.error().message) != made.error().message)
        io::log::error(made.error().message, "; trying again");
    under_way_ = true;
    timers_.after(delay_, [this] { attempt(); });
    delay_ = std::min(2 * delay_, longest_delay);
}

}  // namespace pool_daemon
