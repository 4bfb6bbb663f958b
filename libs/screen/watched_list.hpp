// `barnum ps --watch`: a list on the whole screen, made anew each second. Knows nothing of what is listed.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace screen {

// Returns the exit code, when q is pressed or a signal ends the display. `make_list` returns a line with the
// headings, followed by the rows; of too many rows, the last ones are shown. stdout is a terminal.
int watch_list(const std::function<std::vector<std::string>()>& make_list);

}  // namespace screen
