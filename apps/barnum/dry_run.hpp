// `barnum run --dry-run`: tells on stdout what a run would start, and starts and makes nothing.
#pragma once

#include "pool_protocol/pool_directory.hpp"
#include "run_options.hpp"
#include "run_plan.hpp"

namespace barnum {

// The exit code: 0, or that of a run which could not make its state log or its log file.
int dry_run(const RunOptions& options, const pool_protocol::PoolDirectory& directory, const RunPlan& plan);

}  // namespace barnum
