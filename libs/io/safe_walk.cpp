#include "io/safe_walk.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace io {

namespace {

// Opens one component. Uses openat2, which alone reports that it met a link. If it is not available, a link
// is reported as not a directory.
int open_below(int parent, const std::string& name) {
    constexpr int flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
    open_how how{};
    how.flags = flags;
    how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    long fd = ::syscall(SYS_openat2, parent, name.c_str(), &how, sizeof how);
    if (fd < 0 && (errno == ENOSYS || errno == EPERM))
        return ::openat(parent, name.c_str(), flags | O_NOFOLLOW);
    return static_cast<int>(fd);
}

// The mode is set by name, which is safe: `parent` was checked, so no other user can replace the directory.
base::Result<void> make_below(int parent, const std::string& name, const std::string& path) {
    if (::mkdirat(parent, name.c_str(), 0700) != 0) {
        if (errno == EEXIST) return {};
        return base::system_error(base::concat("cannot make the directory ", path));
    }
    if (::fchmodat(parent, name.c_str(), 0700, 0) != 0)
        return base::system_error(base::concat("cannot set the mode of ", path));
    return {};
}

base::Error cannot_open(const std::string& path, std::string_view advice) {
    if (errno == ELOOP)
        return {boost::system::errc::make_error_code(boost::system::errc::too_many_symbolic_link_levels),
                base::concat(path, " is a symbolic link, which is not followed here; give the real path, or ",
                             advice)};
    return base::system_error(base::concat("cannot open the directory ", path));
}

base::Result<UniqueFd> step(int parent, const std::string& name, const std::string& path, Missing missing,
                            std::string_view advice) {
    UniqueFd next(open_below(parent, name));
    if (!next && errno == ENOENT && missing == Missing::is_made) {
        if (auto made = make_below(parent, name, path); made.has_error()) return made.error();
        next = UniqueFd(open_below(parent, name));
    }
    if (!next) return cannot_open(path, advice);
    return next;
}

}  // namespace

base::Result<UniqueFd> open_directory(const std::string& path, Missing missing, std::string_view advice) {
    UniqueFd at(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
    for (std::size_t begin = 1, end = 0; at && begin < path.size(); begin = end + 1) {
        end = std::min(path.find('/', begin), path.size());
        std::string name = path.substr(begin, end - begin);
        if (name.empty()) continue;
        std::string so_far = path.substr(0, end);
        auto next = step(at.get(), name, so_far, missing, advice);
        if (next.has_error()) return next.error();
        at = std::move(*next);
        if (end == path.size()) break;
        if (auto safe = check_directory_on_the_way(at.get(), so_far, path, advice); safe.has_error())
            return safe.error();
    }
    if (!at) return cannot_open("/", advice);
    if (auto safe = check_own_directory(at.get(), path, advice); safe.has_error()) return safe.error();
    UniqueFd found(::openat(at.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!found) return cannot_open(path, advice);
    return found;
}

}  // namespace io
