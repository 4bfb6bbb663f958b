// The end of stdout.
#pragma once

#include <string_view>

namespace cli {

// Flushes std::cout. Returns `code`, or says on stderr that stdout can't be written and returns
// ExitCode::io_error. Where the reader has gone away (`| head`) it says nothing: it has seen what it wanted.
int flushed(std::string_view program, int code);

}  // namespace cli
