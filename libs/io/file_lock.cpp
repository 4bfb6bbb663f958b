#include "io/file_lock.hpp"

#include "base/text.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace io {

base::Result<UniqueFd> lock_file(const Directory& directory, const std::string& name) {
    UniqueFd fd(
        ::openat(directory.fd(), name.c_str(), O_RDONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600));
    if (!fd) return base::system_error(base::concat("cannot open ", directory.path_of(name)));
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0)
        return base::system_error(base::concat("cannot lock ", directory.path_of(name)));
    return fd;
}

std::optional<bool> is_locked(const Directory& directory, const std::string& name) {
    UniqueFd fd(::openat(directory.fd(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
    if (!fd) return std::nullopt;
    return ::flock(fd.get(), LOCK_SH | LOCK_NB) != 0;
}

}  // namespace io
