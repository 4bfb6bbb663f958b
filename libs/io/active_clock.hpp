// A steady clock that stands still while the process is suspended: by Ctrl-Z, SIGSTOP or a frozen container,
// or when it is held up for as long. Deadlines on it give what they limit as much time as if nothing had
// happened. Suspensions are seen by wake-ups that come more than a second late; a shorter one counts as time.
#pragma once

#include <chrono>
#include <set>

namespace io {

// Its time points start out as those of the steady clock, and fall behind them by each pause.
struct ActiveClock {
    using duration = std::chrono::steady_clock::duration;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<ActiveClock>;
    static constexpr bool is_steady = true;

    // From one thread, for all of the process. The first call after a pause logs it.
    static time_point now();
};

// How much of the steady time the process was suspended. Pure: steady times are arguments, and never go back.
class PauseMeter {
  public:
    using SteadyTime = std::chrono::steady_clock::time_point;

    // The process will be woken at `due`, and look then. One forget() for each expect().
    void expect(SteadyTime due) { due_.insert(due); }
    void forget(SteadyTime due);

    // The length of the pause that has ended since the last look, or zero. Up to a second too long, as it may
    // have begun at any time in the second before the wake-up that was due; too short if it began earlier.
    ActiveClock::duration look(SteadyTime now);

    ActiveClock::time_point active(SteadyTime time) const;
    SteadyTime steady(ActiveClock::time_point time) const;  // if there is no further pause until then

  private:
    std::multiset<SteadyTime> due_;
    SteadyTime last_look_ = SteadyTime::min();
    ActiveClock::duration paused_{0};  // in all
};

// The one of this process, which ActiveClock::now() reads.
PauseMeter& process_pauses();

}  // namespace io
