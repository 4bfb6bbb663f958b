#include "pool_daemon/left_pool.hpp"

#include "base/text.hpp"
#include "io/directory.hpp"
#include "io/file_lock.hpp"
#include "pool_daemon/daemon.hpp"
#include "pool_protocol/names.hpp"

#include <cerrno>
#include <climits>
#include <filesystem>
#include <functional>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace pool_daemon {

namespace fs = std::filesystem;
using pool_protocol::PoolDirectory;

namespace {

// The state log of the pool's run. Empty if none is noted; an error if the note cannot be read.
base::Result<std::string> noted_log(const io::Directory& pool) {
    auto text = pool.read(pool_protocol::owner_name, PATH_MAX);
    if (text.has_error() && text.error().code == std::errc::no_such_file_or_directory) return std::string();
    if (text.has_error()) return text.error();
    if (!text->starts_with('/') || !text->ends_with('\n'))
        return base::invalid(base::concat(pool.path_of(pool_protocol::owner_name), " has no path"));
    text->pop_back();
    return text;
}

enum class Whereabouts {
    there,         // or it may be: something else keeps it from being found
    gone,          // it was removed, alone or with its directory
    out_of_sight,  // so are the directories above it: it may be on a file system that is not mounted
};

// If the directory is empty, a file system may be missing.
bool has_entries(const fs::path& directory) {
    std::error_code failed;
    fs::directory_iterator entries(directory, failed);
    return !failed && entries != fs::directory_iterator();
}

Whereabouts whereabouts(const std::string& log) {
    struct stat status {};
    if (::lstat(log.c_str(), &status) == 0 || (errno != ENOENT && errno != ENOTDIR))
        return Whereabouts::there;
    const fs::path directory = fs::path(log).parent_path();
    const bool is_gone = has_entries(directory) || has_entries(directory.parent_path());
    return is_gone ? Whereabouts::gone : Whereabouts::out_of_sight;
}

// The state log of the run that has left the pool. Empty if it is no such pool.
std::string log_of(const PoolDirectory& directory, const io::Directory& pool) {
    if (!directory.pool.starts_with(pool_protocol::run_pool_prefix)) return {};
    auto log = noted_log(pool);
    return log.has_value() ? std::move(*log) : std::string();
}

bool is_nobodys(const PoolDirectory& directory, const io::Directory& pool) {
    const std::string log = log_of(directory, pool);
    return !log.empty() && whereabouts(log) == Whereabouts::gone;
}

bool is_same_file(const std::string& one, const std::string& other) {
    std::error_code ignored;
    return one == other || fs::equivalent(one, other, ignored);
}

// The note is removed after all else, so that a pool that cannot be removed now is still known to be
// nobody's; and the lock file last, because it keeps daemons out. A daemon that has begun since has the
// directory, which then is not empty.
base::Result<bool> remove_all(const io::Directory& pool) {
    auto names = pool.names();
    if (names.has_error()) return names.error();
    std::error_code failed;
    std::string in_the_way;
    auto remove = [&](const std::string& name) {
        if (!failed) fs::remove_all(pool.path_of(name), failed);
        if (failed && in_the_way.empty()) in_the_way = pool.path_of(name);
    };
    for (const std::string& name : *names)
        if (name != pool_protocol::lock_name && name != pool_protocol::owner_name) remove(name);
    remove(pool_protocol::owner_name);
    if (failed)
        return base::Error{failed, base::concat("cannot remove ", in_the_way, ": ", failed.message())};
    if (auto removed = pool.remove(pool_protocol::lock_name); removed.has_error()) return removed.error();
    if (::rmdir(pool.path().c_str()) != 0 && errno != ENOTEMPTY && errno != ENOENT)
        return base::system_error(base::concat("cannot remove ", pool.path()));
    return true;
}

base::Result<bool> remove_if(const PoolDirectory& directory,
                             const std::function<bool(const io::Directory&)>& may_go) {
    auto pool = io::Directory::open(directory.path);
    if (pool.has_error()) return false;
    auto lock = io::lock_file(*pool, pool_protocol::lock_name);
    if (lock.has_error() || is_served(directory) || !may_go(*pool)) return false;
    return remove_all(*pool);
}

}  // namespace

bool is_abandoned(const PoolDirectory& directory) {
    auto pool = io::Directory::open(directory.path);
    return pool.has_value() && !is_locked(directory) && !is_served(directory) && is_nobodys(directory, *pool);
}

std::string log_out_of_sight(const PoolDirectory& directory) {
    auto pool = io::Directory::open(directory.path);
    if (pool.has_error() || is_locked(directory) || is_served(directory)) return {};
    const std::string log = log_of(directory, *pool);
    return !log.empty() && whereabouts(log) == Whereabouts::out_of_sight ? log : std::string();
}

base::Result<bool> remove_abandoned(const PoolDirectory& directory) {
    return remove_if(directory, [&](const io::Directory& pool) { return is_nobodys(directory, pool); });
}

base::Result<bool> remove_pool_of(const PoolDirectory& directory, const std::string& state_log) {
    return remove_if(directory, [&](const io::Directory& pool) {
        auto log = noted_log(pool);
        return log.has_value() &&
               (log->empty() || is_same_file(*log, state_log) || whereabouts(*log) == Whereabouts::gone);
    });
}

}  // namespace pool_daemon
