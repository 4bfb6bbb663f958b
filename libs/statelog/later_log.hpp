// Whether a state log has been resumed before: a resumed run's log begins with all of the old one's entries,
// and so with the same first line, in which the run's id and time stand.
#pragma once

#include <optional>
#include <string>

namespace statelog {

// The newest log in the directory of `path` that goes on from it; none is looked for elsewhere. Only files
// that were written after it are read, and of them the first line. What can't be read is none.
std::optional<std::string> later_log(const std::string& path);

}  // namespace statelog
