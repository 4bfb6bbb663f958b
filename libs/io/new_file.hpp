// Creates files that become visible only when they are complete and durable. Blocking.
#pragma once

#include "base/error.hpp"
#include "io/file_calls.hpp"
#include "io/unique_fd.hpp"

#include <functional>
#include <string>

namespace io {

// Who may read a new file, besides its owner: nobody, or whoever the umask lets.
enum class Readers { owner, umask };

// Creates a file of mode 0600 (or 0644 less the umask) under a temporary name in the directory of `path`,
// lets `fill` write it, syncs it, renames it to `path`, and syncs the directory. Returns the file, open for
// writing at its end. `fill` may also lock the file. After an error nothing is left, under either name.
// errc::file_exists if `path` exists, even as a dangling link; it stays unchanged. The errors do not contain
// `path`.
base::Result<UniqueFd> create_file(const std::string& path,
                                   const std::function<base::Result<void>(int fd)>& fill,
                                   const FileCalls& calls, Readers readers = Readers::owner);

// Creates a file in the same way, with the mode and the owner of `old`, which is the file at `path`, and
// replaces that file atomically: if the process is killed, `path` is the complete old or the complete new
// file. After an error, `path` is unchanged, unless the error is that of the directory's sync.
base::Result<void> replace_file(const std::string& path, int old,
                                const std::function<base::Result<void>(int fd)>& fill,
                                const FileCalls& calls);

}  // namespace io
