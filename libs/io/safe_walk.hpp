// The way to a directory of ours, step by step from the top: each directory on it is looked at before the
// next one is opened in it, so that nobody else can lead the way to another place. Changes nothing that
// it finds.
#pragma once

#include "base/error.hpp"
#include "io/unique_fd.hpp"

#include <string>

namespace io {

enum class Missing { is_an_error, is_made };

// `path` is absolute and without . and ..; the descriptor is open for reading. What is made gets mode 0700
// whatever the umask. Refused: what io/trust refuses (errc::permission_denied), and a symlink anywhere
// (errc::too_many_symbolic_link_levels).
base::Result<UniqueFd> open_directory(const std::string& path, Missing missing);

}  // namespace io
