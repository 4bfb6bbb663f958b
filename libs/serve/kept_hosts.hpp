// What the hosts of pools over many hosts have said, kept for a few seconds: to ask them is work for each of
// them, so the answers to one question serve all who look within that time. Pure.
#pragma once

#include "pool_protocol/status.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace serve {

// `now` must not decrease.
class KeptHosts {
  public:
    using Time = std::chrono::steady_clock::time_point;

    // Whether all hosts are to be asked now, because the last time is 5 s ago. If so, this counts as done.
    bool take_turn(Time now);

    // Keeps what a status says of the hosts, which were asked for it.
    void keep(const pool_protocol::Status& status, Time now);
    // Gives a status for which the hosts were not asked what is kept, unless that is older than two such
    // times, or the pool's host is not connected, and so knows nothing of the others.
    void add_to(pool_protocol::Status& status, Time now) const;

  private:
    struct Kept {
        Time since;
        std::vector<pool_protocol::HostStatus> hosts;
    };
    std::optional<Time> asked_;
    std::map<std::string, Kept> pools_;  // by their paths
};

}  // namespace serve
