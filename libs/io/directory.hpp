// An open directory and the files in it, reached through its descriptor: no path is walked again, no link
// followed. Knows nothing of pools. Blocking calls, meant for local file systems and small or capped files.
#pragma once

#include "base/error.hpp"
#include "io/unique_fd.hpp"

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace io {

// A regular file, open for reading; `size` is the one that it was opened with.
struct OpenFile {
    UniqueFd fd;
    std::string path;
    std::size_t size = 0;

    // All of it, wherever the descriptor stands; over `max_bytes` is errc::file_too_large.
    base::Result<std::string> text(std::size_t max_bytes) const;
};

class Directory {
  public:
    Directory() = default;

    // `path` is absolute. Refused, with the owner's name or the mode in the message: a directory that
    // isn't ours or that others may write to, a symlink anywhere on the way, and a way on which others could
    // exchange it (io/trust). Nothing is created.
    static base::Result<Directory> open(const std::string& path);
    // The same, and makes what is missing of the path, mode 0700 whatever the umask. Where it refuses,
    // nothing was made beyond the place that it refuses.
    static base::Result<Directory> make(const std::string& path);

    int fd() const { return fd_.get(); }
    const std::string& path() const { return path_; }
    std::string path_of(std::string_view name) const;

    bool contains(std::string_view name) const;
    // Names of everything in it but . and .., in no order.
    base::Result<std::vector<std::string>> names() const;
    // Modification time, for ordering; the epoch if it can't be had.
    std::chrono::nanoseconds modified(std::string_view name) const;

    // A file's whole text. Only a regular file of ours (effective uid) under one name is read: anything else
    // is errc::operation_not_permitted; over `max_bytes` is errc::file_too_large.
    base::Result<std::string> read(std::string_view name, std::size_t max_bytes) const;
    // The same, but errc::text_file_busy while somebody has it open for writing.
    base::Result<std::string> read_finished(std::string_view name, std::size_t max_bytes) const;
    // The file that read() reads, for who may not need its text.
    base::Result<OpenFile> open_file(std::string_view name) const;
    // Whether somebody has the file open for writing, and so may not have finished it. False if that can't be
    // known.
    bool is_being_written(std::string_view name) const;

    // Puts a file of mode 0600 under `name`, whole or not at all, replacing one that is there. `scratch` is a
    // directory on the same file system.
    base::Result<void> write(const Directory& scratch, std::string_view name, std::string_view text) const;

    // The two halves of write(), for what has to be done in between: a new file that may be half there, in
    // place of whatever had the name, and its move from `scratch` to here under the same name.
    base::Result<void> write_in_place(std::string_view name, std::string_view text) const;
    base::Result<void> write_in_place(std::string_view name, std::span<const std::string_view> pieces) const;
    base::Result<void> take_from(const Directory& scratch, std::string_view name) const;

    // New text for a regular file of ours that is there, in place: anything else stays as it is, and is
    // errc::operation_not_permitted.
    base::Result<void> overwrite(std::string_view name, std::string_view text) const;

    // Removes the name, whatever it stands for; never a directory. A file that isn't there is no error.
    base::Result<void> remove(std::string_view name) const;

  private:
    base::Result<UniqueFd> open_to_read(std::string_view name) const;
    base::Result<OpenFile> own_file(UniqueFd fd, std::string_view name) const;
    Directory(UniqueFd fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}

    UniqueFd fd_;
    std::string path_;
};

// Whether the error is one of the machine's that pass (descriptors, memory, the disk), and says nothing about
// the file.
bool is_passing(const base::Error& error);

enum class Whose { trusted, anybodys };

// Reads `path` (absolute; links are followed), at most `max_bytes`, if it is a regular file on a disk: no
// FIFO, device or part of /proc is opened. `trusted`: it must be ours or root's.
// errc::operation_not_permitted if it isn't that.
base::Result<std::string> read_regular_file(const std::string& path, std::size_t max_bytes,
                                            Whose whose = Whose::trusted);

base::Result<void> write_all(int fd, std::string_view text);

}  // namespace io
