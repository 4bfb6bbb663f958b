// The system calls that write and rename files, replaceable so that tests can make each of them fail, and the
// loops around them. Blocking.
#pragma once

#include "base/error.hpp"
#include "io/file_pieces.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <sys/types.h>

namespace io {

// Each function behaves like the system call of its name: -1 and errno on failure.
struct FileCalls {
    std::function<ssize_t(int fd, const void* data, std::size_t size)> write;
    // copy_file_range from `*from_offset`, which it advances, to the current position of `to`.
    std::function<ssize_t(int from, off_t* from_offset, int to, std::size_t size)> copy;
    std::function<int(int fd)> fsync;
    std::function<int(int fd)> fdatasync;
    // renameat2 within a directory, with RENAME_NOREPLACE.
    std::function<int(int directory, const char* from, const char* to)> rename;
    // renameat within a directory; replaces an existing file.
    std::function<int(int directory, const char* from, const char* to)> replace;
    static FileCalls real();
};

// Writes all of `text`, with one write unless the kernel writes less. After an error, a part may have been
// written.
base::Result<void> write_all(const FileCalls& calls, int fd, std::string_view text);

// Copies the range of `from` to the current position of `to`. errc::io_error if `from` is shorter.
base::Result<void> copy_all(const FileCalls& calls, int from, int to, ByteRange range);

// Calls fsync or fdatasync. Retries only after EINTR: after any other failure the kernel may have dropped the
// data, and a second call would succeed.
base::Result<void> sync(const std::function<int(int fd)>& call, int fd);

}  // namespace io
