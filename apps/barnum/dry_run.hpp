// `barnum run --dry-run`: prints on stdout what a run would start. Starts and creates nothing.
#pragma once

#include "pool_protocol/pool_directory.hpp"
#include "run_options.hpp"
#include "run_plan.hpp"

namespace barnum {

// Returns the exit code: 0, or that of a run that could not create its state log or write its log file.
int dry_run(const RunOptions& options, const pool_protocol::PoolDirectory& directory, const RunPlan& plan);

}  // namespace barnum
