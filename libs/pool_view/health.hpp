// Whether a pool works, for `troupe status --check`, in the codes and the form of Nagios' plugins. Pure.
#pragma once

#include "pool_protocol/status.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace pool_view {

enum class Health { ok = 0, warning = 1, critical = 2, unknown = 3 };  // the exit codes

struct HealthReport {
    Health health = Health::ok;
    std::string line;  // "TROUPE WARNING - pool reviews: no agent is attached | agents=0 …"
};

// `max_queue_age`: how long the first task of the queue may wait; empty: for any time.
HealthReport health_of(const pool_protocol::Status& status,
                       std::optional<std::chrono::milliseconds> max_queue_age);

// The report of a pool that tells no status, for this reason.
HealthReport health_without_status(Health health, std::string_view reason);

}  // namespace pool_view
