// Removes runs that have ended, for `barnum rm` and `barnum prune`, also while other processes resume or
// remove them.
#pragma once

#include "base/error.hpp"
#include "runs/run_directories.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace removal {

struct RemovedRun {
    std::uint64_t bytes = 0;                              // that its directory has taken on the disk
    std::optional<base::Error> left_pool = std::nullopt;  // why its own pool could not be removed
};

// Removes the run's directory while it holds the lock of the run's state log, so that nobody resumes it
// meanwhile; and then the run's own pool, if it was killed and has left one that no other run needs.
// errc::resource_unavailable_try_again if the run or one that resumes it lives, or its commands are still
// being ended; errc::no_such_file_or_directory if another process has removed it.
base::Result<RemovedRun> remove_run(const runs::FoundRun& run);

// Says that the run's pool is left, if it is; else empty.
std::string left_pool_text(const runs::FoundRun& run, const RemovedRun& removed);

// "7d1c… (nightly), 12.3 kB", and a line about a state log that is elsewhere. Only printable characters.
std::string removed_text(const runs::FoundRun& run, std::uint64_t bytes);

// {"id":…,"name":…,"bytes":…}, with "state_log_left", the path of a state log that is elsewhere.
std::string removed_json(const runs::FoundRun& run, std::uint64_t bytes);

// "removed": a JSON array of such objects.
std::string removed_member(const std::vector<std::string>& removed);

}  // namespace removal
