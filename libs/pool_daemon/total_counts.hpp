// The counts of a pool since its first daemon, in its file `counts`. That is written a little later than they
// change: what a killed daemon has counted in its last seconds is lost.
#pragma once

#include "pool_daemon/pool_files.hpp"
#include "pool_daemon/timer_queue.hpp"
#include "pool_protocol/status_counts.hpp"

#include <chrono>
#include <functional>

namespace pool_daemon {

class TotalCounts {
  public:
    // `own`: what this daemon has counted so far.
    TotalCounts(const PoolFiles& files, TimerQueue& timers, std::function<pool_protocol::StatusCounts()> own)
        : files_(files), timers_(timers), own_(std::move(own)) {}

    // Reads what earlier daemons have counted. Without it, nothing is written: for a pool that ends with its
    // daemon.
    void begin();
    // `own` may have changed.
    void changed();
    // To be called at the end of the daemon.
    void write();

    pool_protocol::TotalCounts total() const;

  private:
    static constexpr std::chrono::seconds delay{10};

    const PoolFiles& files_;
    TimerQueue& timers_;
    std::function<pool_protocol::StatusCounts()> own_;
    pool_protocol::TotalCounts earlier_;
    pool_protocol::StatusCounts written_;  // of `own`
    bool is_kept_ = false;
    bool is_due_ = false;
    bool has_failed_ = false;  // which was logged
};

}  // namespace pool_daemon
