// An open directory and the files in it, accessed through its descriptor, so that no path is resolved again
// and no link followed. Knows nothing of pools. Blocking; meant for local file systems and files that are
// small or of limited size.
#pragma once

#include "base/error.hpp"
#include "io/trust.hpp"
#include "io/unique_fd.hpp"

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace io {

// A regular file that is open for reading. `size` is its size when it was opened.
struct OpenFile {
    UniqueFd fd;
    std::string path;
    std::size_t size = 0;

    // The whole file, regardless of the descriptor's position. errc::file_too_large if it has more than
    // `max_bytes`.
    base::Result<std::string> text(std::size_t max_bytes) const;
};

class Directory {
  public:
    Directory() = default;

    // Opens `path`, which is absolute. Fails if the directory belongs to another user, if others may write to
    // it, if a component of the path is a symlink, or if others could replace a component (io/trust). The
    // message contains the owner's name or the mode, and ends with `advice`. Creates nothing.
    static base::Result<Directory> open(const std::string& path, std::string_view advice = choose_root);
    // Does what open() does, and creates missing directories with mode 0700, regardless of the umask. If it
    // fails, it has created nothing below the directory that it rejected.
    static base::Result<Directory> make(const std::string& path, std::string_view advice = choose_root);

    int fd() const { return fd_.get(); }
    const std::string& path() const { return path_; }
    std::string path_of(std::string_view name) const;

    bool contains(std::string_view name) const;
    // The names of all entries except . and .., unordered.
    base::Result<std::vector<std::string>> names() const;
    // The modification time, for ordering; the epoch if it is unknown.
    std::chrono::nanoseconds modified(std::string_view name) const;

    // Reads a whole file. Accepts only a regular file of the effective user without further hard links;
    // errc::operation_not_permitted for anything else, errc::file_too_large if it has more than `max_bytes`.
    base::Result<std::string> read(std::string_view name, std::size_t max_bytes) const;
    // Does what read() does; errc::text_file_busy while a process has the file open for writing.
    base::Result<std::string> read_finished(std::string_view name, std::size_t max_bytes) const;
    // Opens the file as read() does, for callers that may not need its text.
    base::Result<OpenFile> open_file(std::string_view name) const;
    // Whether a process has the file open for writing, so that it may be incomplete. False if that is
    // unknown.
    bool is_being_written(std::string_view name) const;

    // Writes a file of mode 0600 atomically, replacing an existing one. `scratch` is a directory on the same
    // file system.
    base::Result<void> write(const Directory& scratch, std::string_view name, std::string_view text) const;

    // The two halves of write(), for callers that do something in between: write_in_place() creates a file,
    // replacing whatever has the name, and readers may see it incomplete; take_from() moves it from `scratch`
    // to this directory under the same name.
    base::Result<void> write_in_place(std::string_view name, std::string_view text) const;
    base::Result<void> write_in_place(std::string_view name, std::span<const std::string_view> pieces) const;
    base::Result<void> take_from(const Directory& scratch, std::string_view name) const;

    // Overwrites an existing regular file of this user in place. Anything else is left unchanged, and is
    // errc::operation_not_permitted.
    base::Result<void> overwrite(std::string_view name, std::string_view text) const;

    // Removes the name, whatever its type, except a directory. It is not an error if it does not exist.
    base::Result<void> remove(std::string_view name) const;

  private:
    base::Result<UniqueFd> open_to_read(std::string_view name) const;
    base::Result<OpenFile> own_file(UniqueFd fd, std::string_view name) const;
    Directory(UniqueFd fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}

    UniqueFd fd_;
    std::string path_;
};

// Whether the error is caused by a temporary condition of the machine (descriptors, memory, the disk), and
// not by the file.
bool is_temporary(const base::Error& error);

enum class TrustedOwner { required, not_required };

// Reads `path` (absolute; links are followed), at most `max_bytes`, if it is a regular file on a disk: FIFOs,
// devices and files of /proc are not opened. With TrustedOwner::required, the file must belong to this user
// or root. Otherwise errc::operation_not_permitted.
base::Result<std::string> read_regular_file(const std::string& path, std::size_t max_bytes,
                                            TrustedOwner trusted_owner = TrustedOwner::required);

base::Result<void> write_all(int fd, std::string_view text);

}  // namespace io
