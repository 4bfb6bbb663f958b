#include "world_clock.hpp"

#include <cerrno>
#include <cstdint>
#include <ctime>

namespace model::world_clock {

namespace {

constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;

constexpr std::int64_t first_wall_time = 1'700'000'000 * nanoseconds_per_second;

std::int64_t steady = 1'000'000 * nanoseconds_per_second;
std::int64_t suspended = 0;
std::int64_t wall_offset = 0;

}  // namespace

void begin() {
    wall_offset = first_wall_time - steady;
}

void pass(Clock::duration time) {
    steady += std::chrono::nanoseconds(time).count();
}

void suspend(Clock::duration time) {
    pass(time);
    suspended += std::chrono::nanoseconds(time).count();
}

timespec wall_now() {
    std::int64_t now = steady + wall_offset;
    return {now / nanoseconds_per_second, now % nanoseconds_per_second};
}

Clock::time_point active_now() {
    return Clock::time_point(std::chrono::nanoseconds(steady - suspended));
}

}  // namespace model::world_clock

// A time point is returned as the number that it holds.
// NOLINTBEGIN: the linker's names
extern "C" {

std::int64_t __wrap__ZNSt6chrono3_V212steady_clock3nowEv() {
    return model::world_clock::steady;
}

std::int64_t __wrap__ZNSt6chrono3_V212system_clock3nowEv() {
    return model::world_clock::steady + model::world_clock::wall_offset;
}

// Without one Asio looks at its timers each time that the loop is polled.
int __wrap_timerfd_create(int, int) {
    errno = ENOSYS;
    return -1;
}

}  // extern "C"
// NOLINTEND
