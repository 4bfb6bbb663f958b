// Opens a directory component by component from the root. Each directory is checked before the next one is
// opened in it, so that no other user can redirect the path. Does not change existing directories.
#pragma once

#include "base/error.hpp"
#include "io/trust.hpp"
#include "io/unique_fd.hpp"

#include <string>
#include <string_view>

namespace io {

enum class Missing { is_an_error, is_made };

// `path` is absolute and without . and ..; the returned descriptor is open for reading. Missing directories
// are created with mode 0700, regardless of the umask. Fails for what io/trust rejects
// (errc::permission_denied), and for a symlink anywhere in the path (errc::too_many_symbolic_link_levels);
// the message ends with `advice`.
base::Result<UniqueFd> open_directory(const std::string& path, Missing missing,
                                      std::string_view advice = choose_root);

}  // namespace io
