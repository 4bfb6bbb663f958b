#include "edge/engine.hpp"

#include <algorithm>

namespace edge {

Times times_for(Duration lease) {
    Times times;
    times.lease = lease;
    times.pull = std::min(times.pull, 2 * lease / 3);
    times.request = std::min(times.request, lease / 2);
    times.ask = std::min(times.ask, lease / 3);
    times.ask_patience = std::min(times.ask_patience, lease);
    times.search = std::min(times.search, lease / 2);
    times.first_look = std::min(times.first_look, lease / 2);
    times.watchdog = 4 * lease;
    return times;
}

}  // namespace edge
