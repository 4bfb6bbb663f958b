#include "io/directory.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <memory>
#include <optional>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace io {

namespace {

std::string user_name(uid_t uid) {
    const passwd* entry = ::getpwuid(uid);
    return entry != nullptr ? std::string(entry->pw_name) : base::concat("uid ", uid);
}

constexpr std::string_view way_out = "choose another place with --root or TROUPE_ROOT";

// openat2, because it alone refuses a link in the middle of a path.
int open_without_links(const std::string& path) {
    open_how how{};
    how.flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    long fd = ::syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof how);
    if (fd < 0 && errno == ENOSYS)
        return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    return static_cast<int>(fd);
}

base::Result<void> make_one(const std::string& path) {
    if (::mkdir(path.c_str(), 0700) == 0) {
        if (::chmod(path.c_str(), 0700) != 0)
            return base::system_error(base::concat("cannot set the mode of ", path));
        return {};
    }
    if (errno == EEXIST) return {};
    return base::system_error(base::concat("cannot make the directory ", path));
}

base::Error refused(std::string message) {
    return {boost::system::errc::make_error_code(boost::system::errc::operation_not_permitted),
            std::move(message)};
}

base::Error too_large(const std::string& path, std::size_t max_bytes) {
    return {boost::system::errc::make_error_code(boost::system::errc::file_too_large),
            base::concat(path, " is larger than ", max_bytes, " bytes")};
}

// `owner`: whom the file must belong to, if anybody.
base::Result<std::string> read_open_file(const UniqueFd& fd, const std::string& path, std::size_t max_bytes,
                                         std::optional<uid_t> owner) {
    struct stat status {};
    if (::fstat(fd.get(), &status) != 0) return base::system_error(base::concat("cannot read ", path));
    if (!S_ISREG(status.st_mode)) return refused(base::concat(path, " is not a regular file"));
    if (owner && status.st_uid != *owner)
        return refused(base::concat(path, " belongs to ", user_name(status.st_uid)));
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

// Ours, asked for once: nothing here changes it.
uid_t own_uid() {
    static const uid_t uid = ::geteuid();
    return uid;
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

base::Result<Directory> Directory::adopt(UniqueFd fd, const std::string& path) {
    if (!fd && errno == ELOOP)
        return base::Error{
            boost::system::errc::make_error_code(boost::system::errc::too_many_symbolic_link_levels),
            base::concat(path, " is, or is reached through, a symbolic link; give the real path, or ",
                         way_out)};
    if (!fd) return base::system_error(base::concat("cannot open the directory ", path));
    struct stat status {};
    if (::fstat(fd.get(), &status) != 0) return base::system_error(base::concat("cannot examine ", path));
    if (status.st_uid != own_uid())
        return base::Error{boost::system::errc::make_error_code(boost::system::errc::permission_denied),
                           base::concat(path, " belongs to ", user_name(status.st_uid), ", not to ",
                                        user_name(own_uid()), "; ", way_out)};
    return Directory(std::move(fd), path);
}

base::Result<Directory> Directory::open(const std::string& path) {
    return adopt(UniqueFd(open_without_links(path)), path);
}

base::Result<Directory> Directory::make(const std::string& path) {
    for (std::size_t end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1))
        if (auto made = make_one(path.substr(0, end)); made.has_error()) return made.error();
    if (auto made = make_one(path); made.has_error()) return made.error();
    return open(path);
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

base::Result<std::string> Directory::read(const std::string& name, std::size_t max_bytes) const {
    // O_NONBLOCK: a FIFO in a file's place must not hold us up before it is recognised.
    UniqueFd fd(::openat(fd_.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    if (!fd && errno == ELOOP) return refused(base::concat(path_of(name), " is a symbolic link"));
    if (!fd) return base::system_error(base::concat("cannot read ", path_of(name)));
    return read_open_file(fd, path_of(name), max_bytes, own_uid());
}

bool Directory::is_being_written(const std::string& name) const {
    UniqueFd fd(::openat(fd_.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    if (!fd) return false;
    // A read lease is granted only while nobody has the file open for writing.
    if (::fcntl(fd.get(), F_SETLEASE, F_RDLCK) != 0) return errno == EAGAIN;
    ::fcntl(fd.get(), F_SETLEASE, F_UNLCK);
    return false;
}

base::Result<void> Directory::write(const Directory& scratch, const std::string& name,
                                    std::string_view text) const {
    UniqueFd fd(
        ::openat(scratch.fd(), name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!fd) return base::system_error(base::concat("cannot write ", scratch.path_of(name)));
    if (umask_hinders()) ::fchmod(fd.get(), 0600);
    auto written = write_all(fd.get(), text);
    fd.reset();  // before it gets its name there, or closing it would announce the file a second time
    if (written.has_value() && ::renameat(scratch.fd(), name.c_str(), fd_.get(), name.c_str()) == 0)
        return {};
    base::Error error = written.has_error() ? base::with_context(scratch.path_of(name), written.error())
                                            : base::system_error(base::concat("cannot put ", path_of(name)));
    ::unlinkat(scratch.fd(), name.c_str(), 0);
    return error;
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

base::Result<std::string> read_regular_file(const std::string& path, std::size_t max_bytes) {
    UniqueFd fd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    if (!fd) return base::system_error(base::concat("cannot read ", path));
    return read_open_file(fd, path, max_bytes, std::nullopt);
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
