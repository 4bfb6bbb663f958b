#include "io/new_file.hpp"

#include "base/text.hpp"
#include "io/as_user.hpp"

#include <fcntl.h>
#include <random>
#include <sys/stat.h>

namespace io {

namespace {

struct Place {
    UniqueFd directory;
    std::string name;
};

base::Result<Place> place_of(const std::string& path) {
    std::size_t slash = path.rfind('/');
    std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
    std::string directory = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    UniqueFd fd(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd) return base::system_error(base::concat("cannot open the directory ", directory));
    if (name.empty()) return base::system_error("the path has no file name", path.empty() ? ENOENT : EISDIR);
    return Place{std::move(fd), std::move(name)};
}

// The rename would fail as well; checking first avoids writing the file in vain.
base::Result<void> require_free(const Place& place) {
    struct stat status {};
    if (::fstatat(place.directory.get(), place.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0)
        return base::system_error("cannot use the name", EEXIST);
    if (errno != ENOENT) return base::system_error("cannot examine the path");
    return {};
}

// Short enough for every file system, whatever the length of `name`.
std::string temporary_name(const std::string& name) {
    std::random_device random;
    return base::concat(".", std::string_view(name).substr(0, 100), ".", ::getpid(), "-", random(), random(),
                        ".tmp");
}

base::Result<UniqueFd> make_temporary(const Place& place, const std::string& name, Readers readers) {
    UniqueFd fd(::openat(place.directory.get(), name.c_str(),
                         O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0600));
    if (!fd) return base::system_error("cannot create a file in its directory");
    const mode_t mode = readers == Readers::owner ? 0600 : 0644 & ~user_umask();
    if (::fchmod(fd.get(), mode) == 0) return fd;
    base::Error error = base::system_error("cannot set its mode");
    ::unlinkat(place.directory.get(), name.c_str(), 0);
    return error;
}

// The rename is the last step; after an error nothing is left.
base::Result<UniqueFd> make_file(
    const Place& place, Readers readers, const std::function<base::Result<void>(int fd)>& fill,
    const std::function<base::Result<void>(const std::string& temporary)>& give_name,
    const FileCalls& calls) {
    std::string temporary = temporary_name(place.name);
    auto file = make_temporary(place, temporary, readers);
    if (file.has_error()) return file;
    auto done = fill(file->get());
    if (done.has_value()) done = sync(calls.fsync, file->get());
    if (done.has_value()) done = give_name(temporary);
    if (done.has_value()) return file;
    ::unlinkat(place.directory.get(), temporary.c_str(), 0);
    return done.error();
}

// If the file system does not support RENAME_NOREPLACE, a hard link is used, which does not replace an
// existing file either.
base::Result<void> give_name(const Place& place, const std::string& temporary, const FileCalls& calls) {
    int directory = place.directory.get();
    if (calls.rename(directory, temporary.c_str(), place.name.c_str()) == 0) return {};
    if (errno != EINVAL && errno != ENOSYS) return base::system_error("cannot rename it to its name");
    if (::linkat(directory, temporary.c_str(), directory, place.name.c_str(), 0) != 0)
        return base::system_error("cannot rename it to its name");
    ::unlinkat(directory, temporary.c_str(), 0);
    return {};
}

base::Result<void> sync_directory(const Place& place, const FileCalls& calls) {
    auto synced = sync(calls.fsync, place.directory.get());
    // Some file systems do not support syncing directories, and do not need it.
    if (synced.has_error() && synced.error().code == boost::system::errc::invalid_argument) return {};
    return synced;
}

base::Result<void> take_mode_and_owner(int fd, int old) {
    struct stat status {};
    struct stat ours {};
    if (::fstat(old, &status) != 0 || ::fstat(fd, &ours) != 0) return base::system_error("cannot examine it");
    bool is_of_another = status.st_uid != ours.st_uid || status.st_gid != ours.st_gid;
    if (is_of_another && ::fchown(fd, status.st_uid, status.st_gid) != 0)
        return base::system_error("cannot keep its owner");
    if (::fchmod(fd, status.st_mode & 07777) != 0) return base::system_error("cannot keep its mode");
    return {};
}

void remove_if_same(const Place& place, const UniqueFd& file) {
    struct stat ours {};
    struct stat there {};
    if (::fstat(file.get(), &ours) == 0 &&
        ::fstatat(place.directory.get(), place.name.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0 &&
        ours.st_dev == there.st_dev && ours.st_ino == there.st_ino)
        ::unlinkat(place.directory.get(), place.name.c_str(), 0);
}

}  // namespace

base::Result<UniqueFd> create_file(const std::string& path,
                                   const std::function<base::Result<void>(int fd)>& fill,
                                   const FileCalls& calls, Readers readers) {
    auto place = place_of(path);
    if (place.has_error()) return place.error();
    if (auto free = require_free(*place); free.has_error()) return free.error();
    auto name = [&](const std::string& temporary) { return give_name(*place, temporary, calls); };
    auto file = make_file(*place, readers, fill, name, calls);
    if (file.has_error()) return file;
    if (auto synced = sync_directory(*place, calls); synced.has_error()) {
        remove_if_same(*place, *file);
        return synced.error();
    }
    return file;
}

base::Result<void> replace_file(const std::string& path, int old,
                                const std::function<base::Result<void>(int fd)>& fill,
                                const FileCalls& calls) {
    auto place = place_of(path);
    if (place.has_error()) return place.error();
    auto fill_alike = [&](int fd) -> base::Result<void> {
        if (auto alike = take_mode_and_owner(fd, old); alike.has_error()) return alike;
        return fill(fd);
    };
    auto take_place = [&](const std::string& temporary) -> base::Result<void> {
        if (calls.replace(place->directory.get(), temporary.c_str(), place->name.c_str()) == 0) return {};
        return base::system_error("cannot rename it to its name");
    };
    auto file = make_file(*place, Readers::owner, fill_alike, take_place, calls);
    if (file.has_error()) return file.error();
    return sync_directory(*place, calls);
}

}  // namespace io
