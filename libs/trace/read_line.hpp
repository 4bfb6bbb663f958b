// How the lines of a log are read of which a trace has only the offsets.
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace trace {

// Returns the line of the log that begins at this offset, without its newline.
using ReadLine = std::function<base::Result<std::string>(std::uint64_t offset)>;

}  // namespace trace
