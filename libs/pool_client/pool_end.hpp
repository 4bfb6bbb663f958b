// How a pool's daemon has ended, as its lock file says.
#pragma once

#include "io/directory.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <string>

namespace pool_client {

// The process id of the daemon, or how it has ended (pool_protocol/daemon_end); empty if it can't be read.
std::string lock_text(const io::Directory& pool);

// Whether the last daemon has stopped, and the next one has not begun. False if the last one was killed or
// has handed the pool over, or is of a version that does not note its end.
bool has_stopped(const io::Directory& pool);
bool has_stopped(const pool_protocol::PoolDirectory& directory);

}  // namespace pool_client
