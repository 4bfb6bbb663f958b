// The file of a run's state log: created atomically, locked, written by one process, synced. Blocking;
// handles bytes, not records.
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
#include <vector>

namespace statelog {

using io::FileCalls;

// Opens a log for reading, without a lock. Fails if it is not a regular file.
base::Result<io::UniqueFd> open_log(const std::string& path);

// A log that is open for reading, and its size then.
struct LogReading {
    io::UniqueFd fd;
    std::uint64_t bytes = 0;
};

// The log at `path`, as open_log().
base::Result<LogReading> open_reading(const std::string& path);

// How long to wait for a log that is locked although no live run is known to hold it, and what to call
// meanwhile.
struct LockWait {
    std::chrono::milliseconds most{10'000};
    std::function<void()> on_wait;  // called once, after a moment of waiting
};

// An existing log, open for reading, and locked so that no other run reads or writes it while this object
// exists. It is never changed.
class OldLog {
  public:
    // Fails if the log belongs to a live run or is being resumed by another one
    // (errc::resource_unavailable_try_again; the message contains the path and, if known, the pid that holds
    // the lock). Waits for the processes of a killed run that have inherited its lock, up to the time in
    // `wait`. Fails if it is not a regular file.
    static base::Result<OldLog> open(const std::string& path, const LockWait& wait = {});

    int fd() const { return fd_.get(); }
    const std::string& path() const { return path_; }
    // Whether `path` is this file, possibly through links. Compares device and inode.
    bool is_same_file(const std::string& path) const;

  private:
    OldLog(io::UniqueFd fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}

    io::UniqueFd fd_;
    std::string path_;
};

// What a new log begins with: `head`, then these parts of an earlier log, unchanged, and then `tail`.
struct TakenOver {
    std::string head;
    std::vector<io::ByteRange> parts;
    std::string tail = {};
};

// A log that is being written, with its lock. The descriptor is close-on-exec. A process that is forked
// without exec shares the lock until it ends.
class LogFile {
  public:
    // Creates the file (0600) at `path`. Its content is `head`, or what it takes over from an earlier log. It
    // is written under a temporary name in the same directory, synced, and
    // renamed, and the directory is synced. Either the complete file exists, durable and locked, or nothing
    // was created. errc::file_exists if `path` exists; it is never replaced.
    static base::Result<LogFile> create(const std::string& path, std::string_view head,
                                        FileCalls calls = FileCalls::real());
    static base::Result<LogFile> create(const std::string& path, std::span<const base::SplicedText> head,
                                        FileCalls calls = FileCalls::real());
    static base::Result<LogFile> create_from(const std::string& path, const OldLog& old,
                                             const TakenOver& content, FileCalls calls = FileCalls::real());

    // As create_from(), for an old log without checksums: each line of it gets one. `old` was replayed.
    static base::Result<LogFile> create_with_checksums(const std::string& path, const OldLog& old,
                                                       const TakenOver& content,
                                                       FileCalls calls = FileCalls::real());

    // Returns the error with which create() would fail at `path`, as far as it can be found without creating
    // a file.
    static base::Result<void> check_place(const std::string& path);

    // Appends `lines` with one write (more only if the kernel writes less). After an error, the end of the
    // file may contain a part of them, which a reader drops as torn. It is an error, too, if the file was
    // removed, because its content would be lost, or if another program has written to it or cut it off.
    base::Result<void> append(std::string_view lines);

    // Makes the appended lines durable.
    base::Result<void> sync();

    // The first error of append() or sync() is final: both return it from then on, and do not touch the file.
    // A line after a torn one would be damage, and after a failed sync the kernel may have dropped data.

    // Opens this file for reading, also if it was moved or removed.
    base::Result<LogReading> open_for_reading() const;

    int fd() const { return fd_.get(); }
    const std::string& path() const { return path_; }

  private:
    LogFile(io::UniqueFd fd, std::string path, FileCalls calls);
    // `fill` writes the beginning of the log.
    static base::Result<LogFile> create_after(const std::string& path, const OldLog& old,
                                              const std::function<base::Result<void>(int fd)>& fill,
                                              const FileCalls& calls);
    base::Result<void> fail(base::Error error);

    io::UniqueFd fd_;
    std::string path_;
    FileCalls calls_;
    std::uint64_t size_ = 0;
    std::optional<base::Error> failure_;
};

}  // namespace statelog
