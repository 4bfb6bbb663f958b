#include "kill_point.hpp"

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

}  // namespace

void arm(std::uint64_t calls) {
    calls_left = calls;
    killed = false;
}

bool disarm() {
    calls_left.reset();
    return killed;
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

using model::kill_point::is_made;

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
    if ((flags & O_CREAT) == 0 || is_made()) return __real_openat(directory, path, flags, mode);
    return __real_openat(AT_FDCWD, "/dev/null", O_WRONLY | O_CLOEXEC, 0);
}

// The file may be the /dev/null from above, which is everybody's.
int __wrap_fchmod(int fd, mode_t mode) {
    return is_made() ? __real_fchmod(fd, mode) : 0;
}

ssize_t __wrap_write(int fd, const void* data, size_t size) {
    return is_made() ? __real_write(fd, data, size) : static_cast<ssize_t>(size);
}

ssize_t __wrap_pwrite(int fd, const void* data, size_t size, off_t at) {
    return is_made() ? __real_pwrite(fd, data, size, at) : static_cast<ssize_t>(size);
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
