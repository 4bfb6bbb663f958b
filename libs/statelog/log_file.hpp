// A run's state log as a file: born whole, written by one process only, appended to, made durable. Blocking
// calls; knows bytes, not records.
#pragma once

#include "base/error.hpp"
#include "base/spliced_text.hpp"
#include "io/file_calls.hpp"
#include "io/unique_fd.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace statelog {

using io::FileCalls;

// A log opened for reading, without a lock. Anything but a regular file is refused.
base::Result<io::UniqueFd> open_log(const std::string& path);

// How long to wait for a log that is locked although nobody is seen to run with it, and whom to tell.
struct Patience {
    std::chrono::milliseconds most{10'000};
    std::function<void()> on_wait;  // once, after a moment of waiting
};

// A log that is there already: open for reading and locked, so that no other run reads or writes it as long
// as this lives. It is never changed.
class OldLog {
  public:
    // Refused, with the path and, where it is known, the PID that holds the lock: a log of a run that lives,
    // or that another run resumes now (errc::resource_unavailable_try_again). The processes of a run that was
    // killed, which have inherited its lock, get the patience's time to end first. Anything but a
    // regular file is refused.
    static base::Result<OldLog> open(const std::string& path, const Patience& patience = {});

    int fd() const { return fd_.get(); }
    const std::string& path() const { return path_; }
    // Whether `path` is, or leads to, this very file, by device and inode.
    bool is_same_file(const std::string& path) const;

  private:
    OldLog(io::UniqueFd fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}

    io::UniqueFd fd_;
    std::string path_;
};

// A log to be written. Who holds it, holds its lock. Its descriptor is close-on-exec; a process that is
// forked without exec shares the lock until it ends.
class LogFile {
  public:
    // Makes the file (0600) at `path` with `head` as its first bytes, or, for a resumed run, with the first
    // `copied_bytes` of another log and then `head`: under a temporary name in the same directory, fsync,
    // rename that replaces nothing, fsync of the directory. Either the whole file is there, durable and
    // locked, or nothing is. errc::file_exists if there is something at `path`: it stays as it is.
    static base::Result<LogFile> create(const std::string& path, std::string_view head,
                                        FileCalls calls = FileCalls::real());
    static base::Result<LogFile> create(const std::string& path, std::span<const base::SplicedText> head,
                                        FileCalls calls = FileCalls::real());
    static base::Result<LogFile> create_from(const std::string& path, const OldLog& old,
                                             std::uint64_t copied_bytes, std::string_view head,
                                             FileCalls calls = FileCalls::real());

    // The same, of a log whose lines have no checksums: in the new one each has. `old` was replayed.
    static base::Result<LogFile> create_with_checksums(const std::string& path, const OldLog& old,
                                                       std::uint64_t copied_bytes,
                                                       FileCalls calls = FileCalls::real());

    // Whether create() would be refused at `path`, as far as that can be told without making anything: the
    // same error.
    static base::Result<void> check_place(const std::string& path);

    // Appends all of `lines` by one write (more only if the kernel takes less). After an error the end of the
    // file may hold a part of them, which a reader drops as torn. That the file was removed is an error, too:
    // nobody could read what is written.
    base::Result<void> append(std::string_view lines);

    // Makes what was appended durable.
    base::Result<void> sync();

    // The first error of append() and sync() is final: both return it from then on and touch the file no
    // more. What follows a torn line would be damage, and the kernel may have dropped what a sync failed on.

    int fd() const { return fd_.get(); }
    const std::string& path() const { return path_; }

  private:
    LogFile(io::UniqueFd fd, std::string path, FileCalls calls)
        : fd_(std::move(fd)), path_(std::move(path)), calls_(std::move(calls)) {}
    // `fill` writes what the log begins with.
    static base::Result<LogFile> create_after(const std::string& path, const OldLog& old,
                                              const std::function<base::Result<void>(int fd)>& fill,
                                              const FileCalls& calls);
    base::Result<void> fail(base::Error error);

    io::UniqueFd fd_;
    std::string path_;
    FileCalls calls_;
    std::optional<base::Error> failure_;
};

}  // namespace statelog
