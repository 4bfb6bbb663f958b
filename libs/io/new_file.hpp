// A file that nobody sees before it is whole and on the disk. Blocking.
#pragma once

#include "base/error.hpp"
#include "io/file_calls.hpp"
#include "io/unique_fd.hpp"

#include <functional>
#include <string>

namespace io {

// Makes a file of mode 0600 under a temporary name in the directory of `path`, has `fill` write it, syncs it,
// renames it to `path`, syncs the directory, and returns it, open for writing at its end. `fill` may also
// lock it. After an error nothing is left of it, under either name. errc::file_exists if there is anything at
// `path`, even a link to nothing: that stays as it is. Errors do not name `path`.
base::Result<UniqueFd> create_file(const std::string& path,
                                   const std::function<base::Result<void>(int fd)>& fill,
                                   const FileCalls& calls);

// Makes a file in the same way, with the mode and the owner of `old`, the file that is at `path` now, and
// puts it in that one's place. Whoever is killed in the middle leaves at `path` the one or the other, and
// whole. Nothing there is changed if the error is not that of the directory's sync.
base::Result<void> replace_file(const std::string& path, int old,
                                const std::function<base::Result<void>(int fd)>& fill,
                                const FileCalls& calls);

}  // namespace io
