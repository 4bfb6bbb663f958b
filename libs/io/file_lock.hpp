// Locks with flock(2). The kernel releases a lock when its holder ends, so a held lock shows that the holder
// is alive.
#pragma once

#include "base/error.hpp"
#include "io/directory.hpp"

#include <optional>
#include <string>

namespace io {

// Takes an exclusive lock on a file of `directory`, which is created (0600) if it does not exist. The
// returned descriptor, open for reading, holds the lock. errc::resource_unavailable_try_again if another
// process holds it, errc::operation_not_permitted if it is not a regular file of this user.
base::Result<UniqueFd> lock_file(const Directory& directory, const std::string& name);

// Whether a process holds a lock on the file. Empty if there is no such file; true if it is unknown.
std::optional<bool> is_locked(const Directory& directory, const std::string& name);

}  // namespace io
