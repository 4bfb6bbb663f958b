// Finds out whether a state log has been resumed: the log of a resumed run begins with all entries of the
// earlier log, so both have the same first line, which contains the run's id and time.
#pragma once

#include <optional>
#include <string>

namespace statelog {

// The newest log in the directory of `path` that continues it. Other directories are not searched. Reads only
// the first line of files that are newer than `path`; files that cannot be read are ignored.
std::optional<std::string> later_log(const std::string& path);

}  // namespace statelog
