#include "io/active_clock.hpp"

#include "io/log.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

namespace io {

namespace {

constexpr std::chrono::seconds tolerance{1};

std::string in_seconds(ActiveClock::duration time) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f s", std::chrono::duration<double>(time).count());
    return text;
}

}  // namespace

void PauseMeter::forget(SteadyTime due) {
    auto found = due_.find(due);
    if (found != due_.end()) due_.erase(found);
}

ActiveClock::duration PauseMeter::look(SteadyTime now) {
    SteadyTime last = std::exchange(last_look_, now);
    if (due_.empty()) return {};
    SteadyTime due = *due_.begin();
    if (now <= due || now - std::max(due, last) <= tolerance) return {};
    ActiveClock::duration pause = now - std::max(due - tolerance, last);
    paused_ += pause;
    return pause;
}

ActiveClock::time_point PauseMeter::active(SteadyTime time) const {
    return ActiveClock::time_point(time.time_since_epoch() - paused_);
}

PauseMeter::SteadyTime PauseMeter::steady(ActiveClock::time_point time) const {
    if (time > ActiveClock::time_point::max() - paused_) return SteadyTime::max();
    return SteadyTime(time.time_since_epoch() + paused_);
}

PauseMeter& process_pauses() {
    static PauseMeter meter;
    return meter;
}

ActiveClock::time_point ActiveClock::now() {
    auto time = std::chrono::steady_clock::now();
    auto pause = process_pauses().look(time);
    if (pause > duration::zero())
        log::warn("this process was suspended or held up for ", in_seconds(pause),
                  "; deadlines are extended by that");
    return process_pauses().active(time);
}

}  // namespace io
