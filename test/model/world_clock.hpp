// The time of the whole test program, which passes only when the model says so: the linker leads the standard
// library's clocks through here (CMakeLists.txt), and Asio's timers are polled by them. So a chapter does not
// depend on the machine's speed, and ten seconds cost nothing.
#pragma once

#include <chrono>
#include <ctime>

namespace model::world_clock {

using Clock = std::chrono::steady_clock;

// Sets the wall clock, by which leases and files are dated, to where each chapter begins.
void begin();
timespec wall_now();

void pass(Clock::duration time);
// The daemon's process stands still meanwhile, or there is none.
void suspend(Clock::duration time);

// As the daemon's deadlines count it: without suspensions.
Clock::time_point active_now();

}  // namespace model::world_clock
