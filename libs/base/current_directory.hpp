// Where this process is. The directory may be gone while the process is in it: an error that says what to do.
#pragma once

#include "base/error.hpp"

#include <string>

namespace base {

Result<std::string> current_directory();

// `path` from `/` on, links not resolved. Only a relative one needs the current directory.
Result<std::string> absolute_path(const std::string& path);

}  // namespace base
