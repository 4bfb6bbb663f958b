// Removes the directory of a run. Does not check whether the run lives: the caller holds the lock of its
// state log. Blocking.
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <string>

namespace runs {

// The space on the disk of everything in the directory, in bytes. What cannot be read counts as nothing.
std::uint64_t space_of(const std::string& directory);

// Removes the directory with everything in it, and no more: links are not followed. The record is removed
// last, so that a run that was removed in part is still found, and can be removed again.
// errc::no_such_file_or_directory if another process has removed it.
base::Result<void> remove_run_directory(const std::string& directory);

}  // namespace runs
