// The clock of the pool's deadlines, which stops while this process is suspended.
#pragma once

#include "io/active_clock.hpp"
#include "pool/machine.hpp"

namespace pool_daemon {

inline pool::Time pool_now() {
    return pool::Time(io::ActiveClock::now().time_since_epoch());
}

}  // namespace pool_daemon
