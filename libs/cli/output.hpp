// The last output of a command: a message on stderr, and the flush of stdout.
#pragma once

#include <string_view>

namespace cli {

// Flushes std::cout and returns `code`. If stdout can't be written, prints that on stderr and returns
// base::ExitCode::io_error; but not if the reader has gone (`| head`), which has read what it wanted.
int flushed(std::string_view program, int code);

// From now on fail() prints an object, {"error":{"message":…,"exit_code":…}}, on one line, or text again.
void print_errors_as_json(bool as_json);

// Prints "<program>: <message>" to stderr and returns `code`.
int fail(std::string_view program, std::string_view message, int code);

}  // namespace cli
