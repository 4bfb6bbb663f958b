#include "kill_point.hpp"

#include "world_clock.hpp"

#include <cerrno>
#include <cstdarg>
#include <fcntl.h>
#include <optional>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace model::kill_point {

namespace {

std::optional<std::uint64_t> calls_left;
bool killed = false;
bool disk_is_full = false;
std::uint64_t writes_on_full_disk = 0;

}  // namespace

void arm(std::uint64_t calls) {
    calls_left = calls;
    killed = false;
}

bool disarm() {
    calls_left.reset();
    disk_is_full = false;
    return killed;
}

void set_disk_full(bool is_full) {
    disk_is_full = is_full;
    writes_on_full_disk = 0;
}

static bool is_regular(int fd) {
    struct stat there {};
    return ::fstat(fd, &there) == 0 && S_ISREG(there.st_mode);
}

// How much of a write there is room for: half of it, then nothing.
static size_t room(int fd, size_t size) {
    if (!disk_is_full || !is_regular(fd)) return size;
    return ++writes_on_full_disk % 2 == 1 ? size / 2 : 0;
}

// Files have the model's time, by which the daemon orders them.
static int dated(int fd, int flags) {
    if (fd < 0 || (flags & O_CREAT) == 0) return fd;
    const timespec times[2] = {world_clock::wall_now(), world_clock::wall_now()};
    (void)::futimens(fd, times);
    return fd;
}

// What the file has already it keeps room for.
static size_t room(int fd, size_t size, off_t at) {
    struct stat there {};
    bool is_inside = ::fstat(fd, &there) == 0 && at + static_cast<off_t>(size) <= there.st_size;
    return is_inside ? size : room(fd, size);
}

// Some files can still be made: an inode is free, and no room for what would be in them.
static bool has_room_for_file() {
    return !disk_is_full || ++writes_on_full_disk % 3 == 0;
}

// Whether the call is still made.
static bool is_made() {
    if (!calls_left) return true;
    if (*calls_left > 0) {
        --*calls_left;
        return true;
    }
    killed = true;
    return false;
}

}  // namespace model::kill_point

using model::kill_point::dated;
using model::kill_point::has_room_for_file;
using model::kill_point::is_made;
using model::kill_point::room;

// NOLINTBEGIN: the linker's names
extern "C" {

int __real_openat(int directory, const char* path, int flags, mode_t mode);
int __real_fchmod(int fd, mode_t mode);
ssize_t __real_write(int fd, const void* data, size_t size);
ssize_t __real_pwrite(int fd, const void* data, size_t size, off_t at);
ssize_t __real_sendmsg(int fd, const msghdr* message, int flags);
int __real_renameat(int from_directory, const char* from, int to_directory, const char* to);
int __real_unlinkat(int directory, const char* path, int flags);
int __real_mkdirat(int directory, const char* path, mode_t mode);
int __real_ftruncate(int fd, off_t size);

int __wrap_openat(int directory, const char* path, int flags, ...) {
    std::va_list rest;
    va_start(rest, flags);
    mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if ((flags & O_CREAT) != 0 && !has_room_for_file() && ::faccessat(directory, path, F_OK, 0) != 0) {
        errno = ENOSPC;
        return -1;
    }
    if ((flags & O_CREAT) == 0 || is_made()) return dated(__real_openat(directory, path, flags, mode), flags);
    return __real_openat(AT_FDCWD, "/dev/null", O_WRONLY | O_CLOEXEC, 0);
}

// The file may be the /dev/null from above, which is everybody's.
int __wrap_fchmod(int fd, mode_t mode) {
    return is_made() ? __real_fchmod(fd, mode) : 0;
}

ssize_t __wrap_write(int fd, const void* data, size_t size) {
    if (fd == STDERR_FILENO) return __real_write(fd, data, size);  // the log
    if (!is_made()) return static_cast<ssize_t>(size);
    if (size_t fits = room(fd, size); fits > 0 || size == 0) {
        ssize_t written = __real_write(fd, data, fits);
        dated(fd, O_CREAT);
        return written;
    }
    errno = ENOSPC;
    return -1;
}

ssize_t __wrap_pwrite(int fd, const void* data, size_t size, off_t at) {
    if (!is_made()) return static_cast<ssize_t>(size);
    if (size_t fits = room(fd, size, at); fits > 0 || size == 0) return __real_pwrite(fd, data, fits, at);
    errno = ENOSPC;
    return -1;
}

ssize_t __wrap_sendmsg(int fd, const msghdr* message, int flags) {
    if (is_made()) return __real_sendmsg(fd, message, flags);
    size_t size = 0;
    for (size_t i = 0; i < message->msg_iovlen; ++i)
        size += message->msg_iov[i].iov_len;
    return static_cast<ssize_t>(size);
}

int __wrap_renameat(int from_directory, const char* from, int to_directory, const char* to) {
    return is_made() ? __real_renameat(from_directory, from, to_directory, to) : 0;
}

int __wrap_unlinkat(int directory, const char* path, int flags) {
    return is_made() ? __real_unlinkat(directory, path, flags) : 0;
}

int __wrap_mkdirat(int directory, const char* path, mode_t mode) {
    return is_made() ? __real_mkdirat(directory, path, mode) : 0;
}

int __wrap_ftruncate(int fd, off_t size) {
    return is_made() ? __real_ftruncate(fd, size) : 0;
}

}  // extern "C"
// NOLINTEND
