// `barnum run --dry-run`: prints on stdout what a run would start. Starts and creates nothing.
#pragma once

#include "launch/run_options.hpp"
#include "launch/run_plan.hpp"
#include "pool_protocol/pool_directory.hpp"

namespace barnum {

// Returns the exit code: 0, or that of a run that could not create its state log or write its log file.
int dry_run(const launch::RunOptions& options, const pool_protocol::PoolDirectory& directory,
            const launch::RunPlan& plan);

}  // namespace barnum
