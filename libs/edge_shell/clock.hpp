// The clock of an edge: it goes on while the process or the machine is suspended, as the leases at an engine
// do.
#pragma once

#include "edge/engine.hpp"

#include <ctime>

namespace edge_shell {

inline edge::Time edge_now() {
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    return edge::Time(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
}

}  // namespace edge_shell
