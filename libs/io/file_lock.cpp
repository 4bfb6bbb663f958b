#include "io/file_lock.hpp"

#include "base/text.hpp"
#include "io/trust.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace io {

namespace {

// Creates the file if it does not exist. Sets the mode only if it created the file.
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
    struct stat ours {};
    struct stat there {};
    if (!fd || ::fstat(fd.get(), &ours) != 0)
        return base::system_error(base::concat("cannot open ", directory.path_of(name)));
    if (!is_own_file(ours)) return not_own_file(ours, directory.path_of(name));
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0)
        return base::system_error(base::concat("cannot lock ", directory.path_of(name)));
    // A lock on a file that was removed or replaced does not exclude other processes.
    if (::fstatat(directory.fd(), name.c_str(), &there, AT_SYMLINK_NOFOLLOW) != 0 ||
        there.st_ino != ours.st_ino)
        return base::system_error(
            base::concat("another file has taken the place of ", directory.path_of(name)), EAGAIN);
    return fd;
}

std::optional<bool> is_locked(const Directory& directory, const std::string& name) {
    UniqueFd fd(::openat(directory.fd(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
    if (!fd && errno == ENOENT) return std::nullopt;
    if (!fd) return true;  // the open failed for lack of resources, which does not mean that the lock is free
    return ::flock(fd.get(), LOCK_SH | LOCK_NB) != 0;
}

}  // namespace io
