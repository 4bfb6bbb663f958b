#include "io/directory.hpp"

#include "base/text.hpp"
#include "io/safe_walk.hpp"
#include "io/trust.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace io {

namespace {

// A null-terminated name for system calls. A name that is too long is cut to a length that is still too long,
// so that the kernel reports the error.
struct CName {
    explicit CName(std::string_view name) { text[name.copy(text, NAME_MAX + 1)] = '\0'; }
    char text[NAME_MAX + 2];
};

base::Error too_large(const std::string& path, std::size_t max_bytes) {
    return {boost::system::errc::make_error_code(boost::system::errc::file_too_large),
            base::concat(path, " is larger than ", max_bytes, " bytes")};
}

// The kernel grants a read lease only if no process has the file open for writing. Then a process that opens
// it for writing has to wait until this descriptor is closed.
bool has_writer(const UniqueFd& fd) {
    return ::fcntl(fd.get(), F_SETLEASE, F_RDLCK) != 0 && errno == EAGAIN;
}

// Whether the umask removes bits of mode 0600, so that the mode must be set after creation.
bool umask_restricts_owner() {
    static const bool restricts = [] {
        mode_t mask = ::umask(077);
        ::umask(mask);
        return (mask & 0600) != 0;
    }();
    return restricts;
}

// Allocates memory for a text that is about to be written completely. Uses huge pages if available: for a
// large text, the page faults would take longer than the copy.
void reserve_huge_pages(std::string& text, std::size_t size) {
    constexpr std::size_t large = std::size_t{4} << 20;  // two huge pages
    text.reserve(size);
    if (size < large) return;
    static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    void* begin = text.data();
    if (std::align(page, size - page, begin, size) != nullptr) ::madvise(begin, size, MADV_HUGEPAGE);
}

}  // namespace

// Reads in pieces that fit the cache, because the memory of a single large buffer would be zeroed first. A
// read of less than half a piece means the end of the file.
base::Result<std::string> OpenFile::text(std::size_t max_bytes) const {
    if (size > max_bytes) return too_large(path, max_bytes);
    std::string text;
    reserve_huge_pages(text, size + 1);
    std::array<char, 64 * 1024> piece;
    while (true) {
        ssize_t got = ::pread(fd.get(), piece.data(), piece.size(), static_cast<off_t>(text.size()));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return base::system_error(base::concat("cannot read ", path));
        text.append(piece.data(), static_cast<std::size_t>(got));
        if (text.size() > max_bytes) return too_large(path, max_bytes);
        if (static_cast<std::size_t>(got) < piece.size()) return text;
    }
}

base::Result<Directory> Directory::open(const std::string& path, std::string_view advice) {
    auto fd = open_directory(path, Missing::is_an_error, advice);
    if (fd.has_error()) return fd.error();
    return Directory(std::move(*fd), path);
}

base::Result<Directory> Directory::make(const std::string& path, std::string_view advice) {
    auto fd = open_directory(path, Missing::is_made, advice);
    if (fd.has_error()) return fd.error();
    return Directory(std::move(*fd), path);
}

std::string Directory::path_of(std::string_view name) const {
    return base::concat(path_, "/", name);
}

bool Directory::contains(std::string_view name) const {
    struct stat status {};
    return ::fstatat(fd_.get(), CName(name).text, &status, AT_SYMLINK_NOFOLLOW) == 0;
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

std::chrono::nanoseconds Directory::modified(std::string_view name) const {
    struct stat status {};
    if (::fstatat(fd_.get(), CName(name).text, &status, AT_SYMLINK_NOFOLLOW) != 0) return {};
    return std::chrono::seconds(status.st_mtim.tv_sec) + std::chrono::nanoseconds(status.st_mtim.tv_nsec);
}

base::Result<UniqueFd> Directory::open_to_read(std::string_view name) const {
    // O_NONBLOCK: opening a FIFO must not block before its type is checked.
    UniqueFd fd(
        ::openat(fd_.get(), CName(name).text, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    if (fd) return fd;
    if (errno == ELOOP) return not_permitted(base::concat(path_of(name), " is a symbolic link"));
    if (errno == ENXIO) return not_permitted(base::concat(path_of(name), " is a socket, not a regular file"));
    return base::system_error(base::concat("cannot read ", path_of(name)));
}

base::Result<OpenFile> Directory::own_file(UniqueFd fd, std::string_view name) const {
    OpenFile file{std::move(fd), path_of(name)};
    struct stat status {};
    if (::fstat(file.fd.get(), &status) != 0)
        return base::system_error(base::concat("cannot read ", file.path));
    if (!is_own_file(status)) return not_own_file(status, file.path);
    file.size = static_cast<std::size_t>(status.st_size);
    return file;
}

base::Result<OpenFile> Directory::open_file(std::string_view name) const {
    auto fd = open_to_read(name);
    if (fd.has_error()) return fd.error();
    return own_file(std::move(*fd), name);
}

base::Result<std::string> Directory::read(std::string_view name, std::size_t max_bytes) const {
    auto file = open_file(name);
    if (file.has_error()) return file.error();
    return file->text(max_bytes);
}

base::Result<std::string> Directory::read_finished(std::string_view name, std::size_t max_bytes) const {
    auto fd = open_to_read(name);
    if (fd.has_error()) return fd.error();
    if (has_writer(*fd)) {
        errno = ETXTBSY;
        return base::system_error(base::concat(path_of(name), " is still being written"));
    }
    auto file = own_file(std::move(*fd), name);
    if (file.has_error()) return file.error();
    return file->text(max_bytes);
}

bool Directory::is_being_written(std::string_view name) const {
    auto fd = open_to_read(name);
    return fd.has_value() && has_writer(*fd);
}

base::Result<void> Directory::write(const Directory& scratch, std::string_view name,
                                    std::string_view text) const {
    if (auto written = scratch.write_in_place(name, text); written.has_error()) return written.error();
    auto taken = take_from(scratch, name);
    if (taken.has_error()) (void)scratch.remove(name);
    return taken;
}

// The file is closed before it is renamed: closing it afterwards would cause a second event. An existing file
// is never written to: it may be somebody's FIFO or a hard link.
base::Result<void> Directory::write_in_place(std::string_view name,
                                             std::span<const std::string_view> pieces) const {
    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    UniqueFd fd(::openat(fd_.get(), CName(name).text, flags, 0600));
    if (!fd && errno == EEXIST) {
        if (auto removed = remove(name); removed.has_error()) return removed.error();
        fd = UniqueFd(::openat(fd_.get(), CName(name).text, flags, 0600));
    }
    if (!fd) return base::system_error(base::concat("cannot write ", path_of(name)));
    if (umask_restricts_owner()) ::fchmod(fd.get(), 0600);
    base::Result<void> written;
    for (std::string_view piece : pieces)
        if (written.has_value()) written = write_all(fd.get(), piece);
    if (written.has_value()) return {};
    (void)remove(name);
    return base::with_context(path_of(name), written.error());
}

base::Result<void> Directory::write_in_place(std::string_view name, std::string_view text) const {
    return write_in_place(name, std::span(&text, 1));
}

base::Result<void> Directory::overwrite(std::string_view name, std::string_view text) const {
    UniqueFd fd(
        ::openat(fd_.get(), CName(name).text, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    struct stat status {};
    if (!fd || ::fstat(fd.get(), &status) != 0)
        return base::system_error(base::concat("cannot write ", path_of(name)));
    if (!is_own_file(status)) return not_own_file(status, path_of(name));
    if (::ftruncate(fd.get(), 0) != 0)
        return base::system_error(base::concat("cannot write ", path_of(name)));
    auto written = write_all(fd.get(), text);
    return written.has_value() ? written : base::with_context(path_of(name), written.error());
}

base::Result<void> Directory::take_from(const Directory& scratch, std::string_view name) const {
    if (::renameat(scratch.fd(), CName(name).text, fd_.get(), CName(name).text) == 0) return {};
    return base::system_error(base::concat("cannot put ", path_of(name)));
}

base::Result<void> Directory::remove(std::string_view name) const {
    if (::unlinkat(fd_.get(), CName(name).text, 0) == 0 || errno == ENOENT) return {};
    return base::system_error(base::concat("cannot remove ", path_of(name)));
}

bool is_temporary(const base::Error& error) {
    namespace errc = boost::system::errc;
    return error.code == errc::too_many_files_open || error.code == errc::too_many_files_open_in_system ||
           error.code == errc::not_enough_memory || error.code == errc::io_error ||
           error.code == errc::no_space_on_device;
}

base::Result<std::string> read_regular_file(const std::string& path, std::size_t max_bytes,
                                            TrustedOwner trusted_owner) {
    struct stat status {};
    // Checked before the open, because opening some devices starts them.
    if (::stat(path.c_str(), &status) != 0) return base::system_error(base::concat("cannot read ", path));
    if (!S_ISREG(status.st_mode)) return not_permitted(base::concat(path, " is not a regular file"));
    UniqueFd fd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    if (!fd || ::fstat(fd.get(), &status) != 0) return base::system_error(base::concat("cannot read ", path));
    if (auto file = check_file_of_the_disk(fd.get(), status, path); file.has_error()) return file.error();
    if (trusted_owner == TrustedOwner::required)
        if (auto owner = check_trusted_owner(status, path); owner.has_error()) return owner.error();
    return OpenFile{std::move(fd), path, static_cast<std::size_t>(status.st_size)}.text(max_bytes);
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
