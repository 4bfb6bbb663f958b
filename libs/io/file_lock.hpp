// flock(2): who holds it lives, and the kernel frees it when they don't.
#pragma once

#include "base/error.hpp"
#include "io/directory.hpp"

#include <optional>
#include <string>

namespace io {

// An exclusive lock on a file of `directory`, made (0600) if it isn't there; the descriptor, open for
// reading, holds it. errc::resource_unavailable_try_again when somebody else has it, and
// errc::operation_not_permitted when it isn't a regular file of ours.
base::Result<UniqueFd> lock_file(const Directory& directory, const std::string& name);

// Whether somebody holds a lock on the file now. Nothing if there is no such file; true if
// it can't be known.
std::optional<bool> is_locked(const Directory& directory, const std::string& name);

}  // namespace io
