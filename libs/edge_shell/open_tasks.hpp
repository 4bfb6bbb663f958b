// What an earlier edge has left on this host, for a daemon that is started without an engine.
#pragma once

#include "base/error.hpp"
#include "io/directory.hpp"

namespace edge_shell {

// Whether `directory`, the pool's, has notes of tasks that are not finished: of submitters here, or at agents
// here. A note that cannot be read is not one. Blocking.
base::Result<bool> has_open_tasks(const io::Directory& directory);

}  // namespace edge_shell
