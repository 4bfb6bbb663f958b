// The own pools of runs that were killed: whose they are, and how they are removed. A run notes its state log
// in its pool, in the file `owner`. Blocking.
#pragma once

#include "base/error.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <string>

namespace pool_daemon {

// Whether nobody needs the pool any more: it has the name of a run's own pool, no daemon serves it, and the
// state log that is noted in it is gone. It is needed if nothing is noted. A log is gone if its directory, or
// the one above, can be read and is not empty: otherwise a file system may not be mounted.
bool is_abandoned(const pool_protocol::PoolDirectory& directory);

// If only that keeps the pool from being abandoned: the path of the state log. Else empty.
std::string log_out_of_sight(const pool_protocol::PoolDirectory& directory);

// Both take the daemon's lock first, which keeps daemons from starting meanwhile, and return whether the pool
// was removed. It is left if a daemon serves it, if it is not there, and if it belongs to another user.

base::Result<bool> remove_abandoned(const pool_protocol::PoolDirectory& directory);

// Removes the pool that the run with this state log has left, also if nothing is noted in it. Leaves it if
// another state log is noted in it that is still there.
base::Result<bool> remove_pool_of(const pool_protocol::PoolDirectory& directory,
                                  const std::string& state_log);

}  // namespace pool_daemon
