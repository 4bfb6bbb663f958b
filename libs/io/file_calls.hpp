// The system calls by which a file gets its bytes and its name, so that a test can have each of them fail,
// and the loops round them. Blocking.
#pragma once

#include "base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <sys/types.h>

namespace io {

// They behave like those of their names: -1 and errno.
struct FileCalls {
    std::function<ssize_t(int fd, const void* data, std::size_t size)> write;
    // copy_file_range from `*from_offset`, which it advances, to where `to` stands.
    std::function<ssize_t(int from, off_t* from_offset, int to, std::size_t size)> copy;
    std::function<int(int fd)> fsync;
    std::function<int(int fd)> fdatasync;
    // renameat2 within a directory, with RENAME_NOREPLACE.
    std::function<int(int directory, const char* from, const char* to)> rename;
    // renameat within a directory: the new file takes the old one's place.
    std::function<int(int directory, const char* from, const char* to)> replace;
    static FileCalls real();
};

// All of `text`, by one write unless the kernel takes less. After an error a part may have been written.
base::Result<void> write_all(const FileCalls& calls, int fd, std::string_view text);

// The first `size` bytes of `from` to where `to` stands; fewer of them are an error (errc::io_error).
base::Result<void> copy_all(const FileCalls& calls, int from, int to, std::uint64_t size);

// Calls fsync or fdatasync. Only an interrupted call is made again: after any other failure the kernel may
// have dropped the data, and a second call would succeed.
base::Result<void> sync(const std::function<int(int fd)>& call, int fd);

}  // namespace io
