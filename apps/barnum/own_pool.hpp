// The pool of a run whose agents are its own (--agents without --pool).
#pragma once

#include "pool_protocol/pool_directory.hpp"
#include "run_options.hpp"

#include <string>

namespace barnum {

// "run-<run id>" in the options' root. The root was located before, and is good.
pool_protocol::PoolDirectory own_pool(const RunOptions& options, const std::string& run_id);

}  // namespace barnum
