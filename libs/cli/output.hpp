// The end of a command: its message on stderr, and stdout that is flushed.
#pragma once

#include <string_view>

namespace cli {

// Flushes std::cout. Returns `code`, or says on stderr that stdout can't be written and returns
// ExitCode::io_error. Where the reader has gone away (`| head`) it says nothing: it has seen what it wanted.
int flushed(std::string_view program, int code);

// Prints "<program>: <message>" to stderr and returns `code`.
int fail(std::string_view program, std::string_view message, int code);

}  // namespace cli
