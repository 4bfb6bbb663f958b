// An open directory and the files in it, reached through its descriptor: no path is walked again, no link
// followed. Knows nothing of pools. Blocking calls, meant for local file systems and small or capped files.
#pragma once

#include "base/error.hpp"
#include "io/unique_fd.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace io {

class Directory {
  public:
    Directory() = default;

    // `path` is absolute. Refused, with the owner's name in the message: a symlink anywhere on the way, or a
    // directory of another user (R2). Nothing is created.
    static base::Result<Directory> open(const std::string& path);
    // The same, after making what is missing of the path, mode 0700 whatever the umask.
    static base::Result<Directory> make(const std::string& path);

    int fd() const { return fd_.get(); }
    const std::string& path() const { return path_; }
    std::string path_of(std::string_view name) const;

    bool contains(const std::string& name) const;
    // Names of everything in it but . and .., in no order.
    base::Result<std::vector<std::string>> names() const;
    // Modification time, for ordering; the epoch if it can't be had.
    std::chrono::nanoseconds modified(const std::string& name) const;

    // A file's whole text. Only a regular file of ours (effective uid) is opened as one: anything else is
    // errc::operation_not_permitted; over `max_bytes` is errc::file_too_large.
    base::Result<std::string> read(const std::string& name, std::size_t max_bytes) const;
    // Whether somebody has the file open for writing, and so may not have finished it. False if that can't be
    // known.
    bool is_being_written(const std::string& name) const;

    // Puts a file of mode 0600 under `name`, whole or not at all, replacing one that is there. `scratch` is a
    // directory on the same file system.
    base::Result<void> write(const Directory& scratch, const std::string& name, std::string_view text) const;

    // A file that isn't there is no error.
    base::Result<void> remove(const std::string& name) const;

  private:
    Directory(UniqueFd fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}
    static base::Result<Directory> adopt(UniqueFd fd, const std::string& path);

    UniqueFd fd_;
    std::string path_;
};

// Whether the error is one of the machine's that pass (descriptors, memory, the disk), and says nothing about
// the file.
bool is_passing(const base::Error& error);

// Opens `path` (absolute) as a regular file, following no FIFO or device, and reads it, at most `max_bytes`.
base::Result<std::string> read_regular_file(const std::string& path, std::size_t max_bytes);

base::Result<void> write_all(int fd, std::string_view text);

}  // namespace io
