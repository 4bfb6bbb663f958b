// What a child gets on stdin, complete before it is started: it reads all of it and then the end, also when
// this process is killed meanwhile. Nobody has to pump it.
#pragma once

#include "base/error.hpp"
#include "base/spliced_text.hpp"
#include "io/unique_fd.hpp"

namespace process {

// A descriptor, close-on-exec, from which exactly `text` can be read, once. A pipe if it takes it, else a
// file in memory.
base::Result<io::UniqueFd> readable_input(const base::SplicedText& text);

}  // namespace process
