// The error message of a command that fails.
#pragma once

#include "cli/output.hpp"

#include <string>

namespace barnum {

// Prints "barnum: <message>" to stderr and returns `code`.
inline int fail(int code, const std::string& message) {
    return cli::fail("barnum", message, code);
}

}  // namespace barnum
