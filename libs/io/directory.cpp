#include "io/directory.hpp"

#include "base/text.hpp"
#include "io/safe_walk.hpp"
#include "io/trust.hpp"

#include <algorithm>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>

namespace io {

namespace {

base::Error refused(std::string message) {
    return {boost::system::errc::make_error_code(boost::system::errc::operation_not_permitted),
            std::move(message)};
}

base::Error too_large(const std::string& path, std::size_t max_bytes) {
    return {boost::system::errc::make_error_code(boost::system::errc::file_too_large),
            base::concat(path, " is larger than ", max_bytes, " bytes")};
}

base::Result<std::string> read_open_file(const UniqueFd& fd, const struct stat& status,
                                         const std::string& path, std::size_t max_bytes) {
    if (static_cast<std::size_t>(status.st_size) > max_bytes) return too_large(path, max_bytes);
    // One byte more than it should hold: a read that doesn't fill it has come to the file's end.
    std::string text(static_cast<std::size_t>(status.st_size) + 1, '\0');
    std::size_t size = 0;
    while (true) {
        std::size_t wanted = text.size() - size;
        ssize_t got = ::read(fd.get(), text.data() + size, wanted);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return base::system_error(base::concat("cannot read ", path));
        size += static_cast<std::size_t>(got);
        if (size > max_bytes) return too_large(path, max_bytes);
        if (static_cast<std::size_t>(got) < wanted) break;
        text.resize(2 * size);
    }
    text.resize(size);
    return text;
}

// A read lease is granted only while nobody has the file open for writing.
bool has_writer(const UniqueFd& fd) {
    if (::fcntl(fd.get(), F_SETLEASE, F_RDLCK) != 0) return errno == EAGAIN;
    ::fcntl(fd.get(), F_SETLEASE, F_UNLCK);
    return false;
}

// Whether the umask takes bits of mode 0600 away, so that it has to be set again.
bool umask_hinders() {
    static const bool hinders = [] {
        mode_t mask = ::umask(077);
        ::umask(mask);
        return (mask & 0600) != 0;
    }();
    return hinders;
}

}  // namespace

base::Result<Directory> Directory::open(const std::string& path) {
    auto fd = open_directory(path, Missing::is_an_error);
    if (fd.has_error()) return fd.error();
    return Directory(std::move(*fd), path);
}

base::Result<Directory> Directory::make(const std::string& path) {
    auto fd = open_directory(path, Missing::is_made);
    if (fd.has_error()) return fd.error();
    return Directory(std::move(*fd), path);
}

std::string Directory::path_of(std::string_view name) const {
    return base::concat(path_, "/", name);
}

bool Directory::contains(const std::string& name) const {
    struct stat status {};
    return ::fstatat(fd_.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
}

base::Result<std::vector<std::string>> Directory::names() const {
    UniqueFd again(::openat(fd_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!again) return base::system_error(base::concat("cannot list ", path_));
    std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(again.release()), ::closedir);
    if (!stream) return base::system_error(base::concat("cannot list ", path_));
    std::vector<std::string> found;
    errno = 0;
    while (const dirent* entry = ::readdir(stream.get())) {
        std::string_view name(entry->d_name);
        if (name != "." && name != "..") found.emplace_back(name);
        errno = 0;
    }
    if (errno != 0) return base::system_error(base::concat("cannot list ", path_));
    return found;
}

std::chrono::nanoseconds Directory::modified(const std::string& name) const {
    struct stat status {};
    if (::fstatat(fd_.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return {};
    return std::chrono::seconds(status.st_mtim.tv_sec) + std::chrono::nanoseconds(status.st_mtim.tv_nsec);
}

base::Result<UniqueFd> Directory::open_to_read(const std::string& name) const {
    // O_NONBLOCK: a FIFO in a file's place must not hold us up before it is recognised.
    UniqueFd fd(::openat(fd_.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    if (fd) return fd;
    if (errno == ELOOP) return refused(base::concat(path_of(name), " is a symbolic link"));
    if (errno == ENXIO) return refused(base::concat(path_of(name), " is a socket, not a regular file"));
    return base::system_error(base::concat("cannot read ", path_of(name)));
}

base::Result<std::string> Directory::read_own_file(const UniqueFd& fd, const std::string& name,
                                                   std::size_t max_bytes) const {
    struct stat status {};
    if (::fstat(fd.get(), &status) != 0)
        return base::system_error(base::concat("cannot read ", path_of(name)));
    if (auto ours = check_own_file(status, path_of(name)); ours.has_error()) return ours.error();
    return read_open_file(fd, status, path_of(name), max_bytes);
}

base::Result<std::string> Directory::read(const std::string& name, std::size_t max_bytes) const {
    auto fd = open_to_read(name);
    if (fd.has_error()) return fd.error();
    return read_own_file(*fd, name, max_bytes);
}

base::Result<std::string> Directory::read_finished(const std::string& name, std::size_t max_bytes) const {
    auto fd = open_to_read(name);
    if (fd.has_error()) return fd.error();
    if (has_writer(*fd)) {
        errno = ETXTBSY;
        return base::system_error(base::concat(path_of(name), " is still being written"));
    }
    return read_own_file(*fd, name, max_bytes);
}

bool Directory::is_being_written(const std::string& name) const {
    auto fd = open_to_read(name);
    return fd.has_value() && has_writer(*fd);
}

base::Result<void> Directory::write(const Directory& scratch, const std::string& name,
                                    std::string_view text) const {
    if (auto written = scratch.write_in_place(name, text); written.has_error()) return written.error();
    auto taken = take_from(scratch, name);
    if (taken.has_error()) (void)scratch.remove(name);
    return taken;
}

// Closed before it gets another name: closing it there would announce the file a second time. Never written
// into what is there: that may be somebody's FIFO, or a hard link.
base::Result<void> Directory::write_in_place(const std::string& name, std::string_view text) const {
    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    UniqueFd fd(::openat(fd_.get(), name.c_str(), flags, 0600));
    if (!fd && errno == EEXIST) {
        if (auto removed = remove(name); removed.has_error()) return removed.error();
        fd = UniqueFd(::openat(fd_.get(), name.c_str(), flags, 0600));
    }
    if (!fd) return base::system_error(base::concat("cannot write ", path_of(name)));
    if (umask_hinders()) ::fchmod(fd.get(), 0600);
    auto written = write_all(fd.get(), text);
    if (written.has_value()) return {};
    (void)remove(name);
    return base::with_context(path_of(name), written.error());
}

base::Result<void> Directory::overwrite(const std::string& name, std::string_view text) const {
    UniqueFd fd(::openat(fd_.get(), name.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    struct stat status {};
    if (!fd || ::fstat(fd.get(), &status) != 0)
        return base::system_error(base::concat("cannot write ", path_of(name)));
    if (auto ours = check_own_file(status, path_of(name)); ours.has_error()) return ours.error();
    if (::ftruncate(fd.get(), 0) != 0)
        return base::system_error(base::concat("cannot write ", path_of(name)));
    return write_all(fd.get(), text);
}

base::Result<void> Directory::take_from(const Directory& scratch, const std::string& name) const {
    if (::renameat(scratch.fd(), name.c_str(), fd_.get(), name.c_str()) == 0) return {};
    return base::system_error(base::concat("cannot put ", path_of(name)));
}

base::Result<void> Directory::remove(const std::string& name) const {
    if (::unlinkat(fd_.get(), name.c_str(), 0) == 0 || errno == ENOENT) return {};
    return base::system_error(base::concat("cannot remove ", path_of(name)));
}

bool is_passing(const base::Error& error) {
    namespace errc = boost::system::errc;
    return error.code == errc::too_many_files_open || error.code == errc::too_many_files_open_in_system ||
           error.code == errc::not_enough_memory || error.code == errc::io_error ||
           error.code == errc::no_space_on_device;
}

base::Result<std::string> read_regular_file(const std::string& path, std::size_t max_bytes, Whose whose) {
    struct stat status {};
    // Looked at before it is opened: that alone starts some devices.
    if (::stat(path.c_str(), &status) != 0) return base::system_error(base::concat("cannot read ", path));
    if (!S_ISREG(status.st_mode)) return refused(base::concat(path, " is not a regular file"));
    UniqueFd fd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    if (!fd || ::fstat(fd.get(), &status) != 0) return base::system_error(base::concat("cannot read ", path));
    if (auto file = check_file_of_the_disk(fd.get(), status, path); file.has_error()) return file.error();
    if (whose == Whose::trusted)
        if (auto owner = check_trusted_owner(status, path); owner.has_error()) return owner.error();
    return read_open_file(fd, status, path, max_bytes);
}

base::Result<void> write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        ssize_t written = ::write(fd, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return base::system_error("cannot write");
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

}  // namespace io
