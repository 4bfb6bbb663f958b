// Something of the pool was removed under the daemon: it is made again, as soon and as often as that
// takes.
#pragma once

#include "base/error.hpp"
#include "pool_daemon/timer_queue.hpp"

#include <chrono>
#include <functional>
#include <string>

namespace pool_daemon {

class Repair {
  public:
    // `make` makes what is missing, and has the daemon look at all of it; an error is tried again.
    Repair(TimerQueue& timers, std::function<base::Result<void>()> make)
        : timers_(timers), make_(std::move(make)) {}

    // Something in `path` is missing. A second call before it is made changes nothing.
    void begin(const std::string& path);
    // Nothing is made from now on.
    void end() { ended_ = true; }

  private:
    void try_it();

    static constexpr std::chrono::milliseconds first_delay{200};

    TimerQueue& timers_;
    std::function<base::Result<void>()> make_;
    bool ended_ = false;
    bool under_way_ = false;
    std::chrono::milliseconds delay_ = first_delay;
    std::string problem_;  // that was logged last
};

}  // namespace pool_daemon
