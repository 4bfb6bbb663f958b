#include "io/file_lock.hpp"

#include "base/text.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace io {

namespace {

// Makes the file if it isn't there; only one that was made here gets its mode set (R2).
UniqueFd open_or_make(const Directory& directory, const std::string& name) {
    constexpr int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
    UniqueFd made(::openat(directory.fd(), name.c_str(), flags | O_CREAT | O_EXCL, 0600));
    if (made) {
        ::fchmod(made.get(), 0600);
        return made;
    }
    return UniqueFd(::openat(directory.fd(), name.c_str(), flags));
}

}  // namespace

base::Result<UniqueFd> lock_file(const Directory& directory, const std::string& name) {
    UniqueFd fd = open_or_make(directory, name);
    if (!fd) return base::system_error(base::concat("cannot open ", directory.path_of(name)));
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0)
        return base::system_error(base::concat("cannot lock ", directory.path_of(name)));
    return fd;
}

std::optional<bool> is_locked(const Directory& directory, const std::string& name) {
    UniqueFd fd(::openat(directory.fd(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
    if (!fd && errno == ENOENT) return std::nullopt;
    if (!fd) return true;  // a shortage is no sign that nobody holds it
    return ::flock(fd.get(), LOCK_SH | LOCK_NB) != 0;
}

}  // namespace io
