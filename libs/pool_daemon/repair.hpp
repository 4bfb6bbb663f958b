// Creates files and directories of the pool again that were removed while the daemon runs; retries until it
// succeeds.
#pragma once

#include "base/error.hpp"
#include "pool_daemon/timer_queue.hpp"

#include <chrono>
#include <functional>
#include <string>

namespace pool_daemon {

class Repair {
  public:
    // `make` creates what is missing and makes the daemon scan everything. It is retried after an error.
    Repair(TimerQueue& timers, std::function<base::Result<void>()> make)
        : timers_(timers), make_(std::move(make)) {}

    // Something in `path` is missing. Has no effect while a repair is pending.
    void begin(const std::string& path);
    // Nothing is created from now on.
    void end() { ended_ = true; }

  private:
    void attempt();

    static constexpr std::chrono::milliseconds first_delay{200};

    TimerQueue& timers_;
    std::function<base::Result<void>()> make_;
    bool ended_ = false;
    bool under_way_ = false;
    std::chrono::milliseconds delay_ = first_delay;
    std::string problem_;  // the last one that was logged
};

}  // namespace pool_daemon
