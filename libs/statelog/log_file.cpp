#include "statelog/log_file.hpp"

#include "base/text.hpp"
#include "io/file_pieces.hpp"
#include "io/lock_holders.hpp"
#include "io/new_file.hpp"
#include "statelog/checksum_writer.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace statelog {

namespace errc = boost::system::errc;
using std::chrono::steady_clock;

namespace {

constexpr std::chrono::milliseconds retry_time{20};
// The time that the processes of a killed run usually need to end. Only after it is the user told of the
// wait.
constexpr std::chrono::milliseconds quiet_time{250};

base::Result<void> lock_at_once(int fd) {
    while (::flock(fd, LOCK_EX | LOCK_NB) != 0)
        if (errno != EINTR) return base::system_error("cannot lock it");
    return {};
}

std::string list(const std::vector<int>& pids) {
    std::string text = pids.size() == 1 ? "process " : "processes ";
    for (std::size_t i = 0; i < pids.size(); ++i)
        base::append_piece(text, base::concat(i == 0 ? "" : ", ", pids[i]));
    return text;
}

base::Error in_use(const std::string& path, const std::vector<int>& holders) {
    constexpr std::string_view unknown_process =
        "a process that is not visible from here: one that a killed run has left, or a run in another "
        "container (`fuser` may find it)";
    std::string who =
        holders.empty()
            ? std::string(unknown_process)
            : base::concat(list(holders), ": its run, one that resumes it, or a command that uses it");
    return {errc::make_error_code(errc::resource_unavailable_try_again),
            base::concat("the state log ", path, " is in use by ", who,
                         "; wait for its end, or end it, before resuming the run")};
}

base::Error cannot_lock(const std::string& path, const base::Error& error) {
    // NFS requires write access for an exclusive lock, and an old log is never opened for writing.
    return {error.code, base::concat("cannot resume from the state log ", path, ": ", error.message,
                                     "; its file system does not support such locks: copy the log to a local "
                                     "file system and resume from the copy")};
}

base::Result<void> lock_with_retries(int fd, const std::string& path, const LockWait& wait) {
    const auto start = steady_clock::now();
    bool told = false;
    while (true) {
        auto locked = lock_at_once(fd);
        if (locked.has_value()) return locked;
        if (locked.error().code != errc::operation_would_block) return cannot_lock(path, locked.error());
        const auto waited = steady_clock::now() - start;
        if (waited >= quiet_time) {
            auto holders = io::lock_holders(fd);
            if (!holders.empty()) return in_use(path, holders);
            if (!std::exchange(told, true) && wait.on_wait) wait.on_wait();
        }
        if (waited >= wait.most) return in_use(path, io::lock_holders(fd));
        std::this_thread::sleep_for(retry_time);
    }
}

// The path is opened with O_PATH, which has no effect on a device or FIFO.
base::Error already_exists(const std::string& path) {
    io::UniqueFd there(::open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    auto holders = io::lock_holders(there.get());
    return {errc::make_error_code(errc::file_exists),
            base::concat(path, " exists already",
                         holders.empty() ? "" : base::concat(" (in use by ", list(holders), ")"),
                         "; a state log never replaces a file: choose another path with --state-log")};
}

base::Error cannot_create(const std::string& path, const base::Error& error) {
    if (error.code == errc::file_exists) return already_exists(path);
    return {error.code, base::concat("cannot create the state log ", path, ": ", error.message,
                                     "; fix that, or choose another path with --state-log")};
}

base::Error cannot_append(const std::string& path, const base::Error& error) {
    return {error.code, base::concat("cannot append to the state log ", path, ": ", error.message,
                                     "; fix that, then resume the run from this log")};
}

base::Error was_removed(const std::string& path) {
    return {errc::make_error_code(errc::no_such_file_or_directory),
            base::concat("the state log ", path,
                         " was removed while the run wrote it; the run ends, because it could not be resumed "
                         "later; start it again, and keep its log until it has finished")};
}

base::Error was_changed(const std::string& path, std::uint64_t size, std::uint64_t written) {
    return {errc::make_error_code(errc::io_error),
            base::concat("the state log ", path,
                         " was changed by another program while the run wrote it: it has ", size,
                         " bytes, and ", written,
                         " were written; the run ends; if it cannot be resumed, start it again, and let "
                         "nothing else write to its log, cut it off or rotate it")};
}

}  // namespace

base::Result<io::UniqueFd> open_log(const std::string& path) {
    // O_NONBLOCK: opening a FIFO must not block before its type is checked.
    io::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    struct stat status {};
    if (!fd || ::fstat(fd.get(), &status) != 0)
        return base::system_error(base::concat("cannot open the state log ", path));
    if (!S_ISREG(status.st_mode))
        return base::invalid(base::concat(path, " is not a state log: it is not a regular file"));
    return fd;
}

base::Result<LogReading> open_reading(const std::string& path) {
    auto fd = open_log(path);
    if (!fd) return fd.error();
    struct stat status {};
    if (::fstat(fd->get(), &status) != 0) return base::system_error(base::concat("cannot read ", path));
    return LogReading{std::move(*fd), static_cast<std::uint64_t>(status.st_size)};
}

base::Result<OldLog> OldLog::open(const std::string& path, const LockWait& wait) {
    auto fd = open_log(path);
    if (fd.has_error()) return fd.error();
    if (auto locked = lock_with_retries(fd->get(), path, wait); locked.has_error()) return locked.error();
    return OldLog(std::move(*fd), path);
}

bool OldLog::is_same_file(const std::string& path) const {
    struct stat ours {};
    struct stat theirs {};
    return ::fstat(fd_.get(), &ours) == 0 && ::stat(path.c_str(), &theirs) == 0 &&
           ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino;
}

// With O_APPEND an entry goes to the end of the file, wherever that is. Without it, an entry after the file
// was cut off would leave a gap of zeros before it, and the file would have the size that append() expects.
LogFile::LogFile(io::UniqueFd fd, std::string path, FileCalls calls)
    : fd_(std::move(fd)), path_(std::move(path)), calls_(std::move(calls)) {
    struct stat status {};
    if (::fstat(fd_.get(), &status) == 0) size_ = static_cast<std::uint64_t>(status.st_size);
    ::fcntl(fd_.get(), F_SETFL, ::fcntl(fd_.get(), F_GETFL) | O_APPEND);
}

base::Result<LogFile> LogFile::create(const std::string& path, std::string_view head, FileCalls calls) {
    base::SplicedText text{std::string(head)};
    return create(path, std::span(&text, 1), std::move(calls));
}

base::Result<LogFile> LogFile::create(const std::string& path, std::span<const base::SplicedText> head,
                                      FileCalls calls) {
    // The file is locked before it gets its name, so that no other process can lock it first.
    auto fill = [&](int fd) -> base::Result<void> {
        auto done = lock_at_once(fd);
        for (const base::SplicedText& text : head)
            for (std::string_view piece : text.pieces())
                if (done.has_value()) done = io::write_all(calls, fd, piece);
        return done;
    };
    auto file = io::create_file(path, fill, calls);
    if (file.has_error()) return cannot_create(path, file.error());
    return LogFile(std::move(*file), path, std::move(calls));
}

base::Result<void> LogFile::check_place(const std::string& path) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) == 0) return already_exists(path);
    std::string directory = path.substr(0, path.rfind('/') + 1);
    if (::access(directory.empty() ? "." : directory.c_str(), W_OK | X_OK) == 0) return {};
    auto error = base::system_error(base::concat("directory ", directory));
    return cannot_create(path, error);
}

base::Result<LogFile> LogFile::create_from(const std::string& path, const OldLog& old,
                                           const TakenOver& content, FileCalls calls) {
    auto fill = [&](int fd) -> base::Result<void> {
        auto done = io::write_all(calls, fd, content.head);
        for (const io::ByteRange& part : content.parts)
            if (done.has_value()) done = io::copy_all(calls, old.fd(), fd, part);
        return done ? io::write_all(calls, fd, content.tail) : done;
    };
    return create_after(path, old, fill, calls);
}

base::Result<LogFile> LogFile::create_with_checksums(const std::string& path, const OldLog& old,
                                                     const TakenOver& content, FileCalls calls) {
    auto fill = [&](int fd) -> base::Result<void> {
        auto done = io::write_all(calls, fd, content.head);
        ChecksumWriter writer;
        auto write = [&](std::string_view piece) { return io::write_all(calls, fd, writer.write(piece)); };
        for (const io::ByteRange& part : content.parts) {
            if (!done) return done;
            if (auto copied = io::read_pieces(old.fd(), part, write); !copied) return copied.error();
        }
        return done ? io::write_all(calls, fd, content.tail) : done;
    };
    return create_after(path, old, fill, calls);
}

base::Result<LogFile> LogFile::create_after(const std::string& path, const OldLog& old,
                                            const std::function<base::Result<void>(int fd)>& fill,
                                            const FileCalls& calls) {
    if (old.is_same_file(path))
        return base::Error{errc::make_error_code(errc::file_exists),
                           base::concat(path,
                                        " is the state log to resume from, which is never changed; choose "
                                        "another path for the new log with --state-log")};
    auto locked_and_filled = [&](int fd) -> base::Result<void> {
        if (auto locked = lock_at_once(fd); locked.has_error()) return locked;
        auto filled = fill(fd);
        if (filled.has_value()) return filled;
        return base::with_context(base::concat("copying from ", old.path()), filled.error());
    };
    auto file = io::create_file(path, locked_and_filled, calls);
    if (file.has_error()) return cannot_create(path, file.error());
    return LogFile(std::move(*file), path, calls);
}

base::Result<LogReading> LogFile::open_for_reading() const {
    auto opened = open_reading(base::concat("/proc/self/fd/", fd_.get()));
    if (!opened) return base::with_context(base::concat("the state log ", path_), opened.error());
    return opened;
}

base::Result<void> LogFile::append(std::string_view lines) {
    if (failure_) return *failure_;
    if (auto written = io::write_all(calls_, fd_.get(), lines); written.has_error())
        return fail(cannot_append(path_, written.error()));
    struct stat status {};
    size_ += lines.size();
    if (::fstat(fd_.get(), &status) != 0) return {};
    if (status.st_nlink == 0) return fail(was_removed(path_));
    const auto size = static_cast<std::uint64_t>(status.st_size);
    return size == size_ ? base::Result<void>() : fail(was_changed(path_, size, size_));
}

base::Result<void> LogFile::sync() {
    if (failure_) return *failure_;
    auto synced = io::sync(calls_.fdatasync, fd_.get());
    return synced.has_value() ? synced : fail(cannot_append(path_, synced.error()));
}

base::Result<void> LogFile::fail(base::Error error) {
    failure_ = std::move(error);
    return *failure_;
}

}  // namespace statelog
