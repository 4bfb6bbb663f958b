// A steady clock that stops while the process is suspended: by Ctrl-Z, SIGSTOP, a frozen container, or any
// delay of that length. A deadline on this clock allows the same running time as without the suspension. A
// suspension is detected when a wake-up comes more than a second late; shorter ones count as running time.
#pragma once

#include <chrono>
#include <set>

namespace io {

// Its time points equal those of the steady clock minus the total length of all pauses so far.
struct ActiveClock {
    using duration = std::chrono::steady_clock::duration;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<ActiveClock>;
    static constexpr bool is_steady = true;

    // To be called from one thread only; one clock for the whole process. The first call after a pause logs
    // it.
    static time_point now();
};

// Measures how long the process was suspended. Pure: times of the steady clock are arguments, and must not
// decrease.
class PauseMeter {
  public:
    using SteadyTime = std::chrono::steady_clock::time_point;

    // Announces that the process will be woken at `due` and call look() then. Each expect() needs one
    // forget().
    void expect(SteadyTime due) { due_.insert(due); }
    void forget(SteadyTime due);

    // The length of the pause that has ended since the last call, or zero. Up to a second too long, because
    // the pause may have begun at any time in the second before the wake-up was due; too short if it began
    // earlier.
    ActiveClock::duration look(SteadyTime now);

    ActiveClock::time_point active(SteadyTime time) const;
    SteadyTime steady(ActiveClock::time_point time) const;  // if there is no further pause until then

  private:
    std::multiset<SteadyTime> due_;
    SteadyTime last_look_ = SteadyTime::min();
    ActiveClock::duration paused_{0};  // total
};

// The instance of this process, which ActiveClock::now() uses.
PauseMeter& process_pauses();

}  // namespace io
