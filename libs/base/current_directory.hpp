// The current directory of the process. If it has been deleted, the functions return an error that says what
// to do.
#pragma once

#include "base/error.hpp"

#include <string>

namespace base {

Result<std::string> current_directory();

// Makes `path` absolute without resolving links. Reads the current directory only if `path` is relative.
Result<std::string> absolute_path(const std::string& path);

}  // namespace base
