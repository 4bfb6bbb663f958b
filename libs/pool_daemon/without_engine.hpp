// A pool that was a part of one over many hosts, and is to be served without an engine.
#pragma once

#include "base/error.hpp"
#include "io/directory.hpp"
#include "pool_protocol/pool_directory.hpp"

namespace pool_daemon {

// Whether the pool's daemon was last started with an engine: one without would serve this host only.
bool is_over_many_hosts(const pool_protocol::PoolDirectory& directory);

// To be called at the start of a daemon without an engine. Fails if tasks of the engine are open here: they
// would be done once more, by agents here and on other hosts. Makes the pool one of this host alone, unless
// it `is_hosted` by a run. Blocking.
base::Result<void> leave_engine(const io::Directory& pool, bool is_hosted);

}  // namespace pool_daemon
