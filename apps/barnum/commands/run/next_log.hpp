// The name of a resumed run's state log.
#pragma once

#include <string>

namespace barnum {

// A name for the next log that does not exist yet: run.ndjson, run-resumed.ndjson, run-resumed-2.ndjson, …;
// empty if such a name would be too long.
std::string next_log(const std::string& log_path);

}  // namespace barnum
