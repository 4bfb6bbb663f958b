// The status of pools as metrics for monitoring (docs/metrics.md). Pure.
#pragma once

#include "metrics/exposition.hpp"
#include "pool_protocol/status.hpp"

#include <span>

namespace pool_view {

// All families, each with its samples of all pools, which have different ids. The number of samples grows
// with pools and parked accounts, not with tasks or agents.
void add_pool_metrics(metrics::Exposition& out, std::span<const pool_protocol::Status> pools);

}  // namespace pool_view
