// Prepares a child's stdin completely before the child starts: it can read everything up to the end of the
// file, even if this process is killed meanwhile. No coroutine has to write it.
#pragma once

#include "base/error.hpp"
#include "base/spliced_text.hpp"
#include "io/unique_fd.hpp"

namespace process {

// A close-on-exec descriptor from which exactly `text` can be read, once: a pipe if the text fits, otherwise
// a file in memory.
base::Result<io::UniqueFd> readable_input(const base::SplicedText& text);

// A close-on-exec descriptor of a file in memory with `text`, which stands at its beginning. Other processes
// of the user can open it as /proc/PID/fd/FD.
base::Result<io::UniqueFd> file_in_memory(const base::SplicedText& text);

}  // namespace process
