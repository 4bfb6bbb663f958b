#include "pool_daemon/pool_files.hpp"

#include "base/text.hpp"
#include "io/file_lock.hpp"
#include "io/local_socket.hpp"
#include "io/lock_holders.hpp"
#include "io/log.hpp"
#include "pool_protocol/names.hpp"

#include <boost/system/errc.hpp>

#include <chrono>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace pool_daemon {

namespace {

// " (process 17)", with a hint if it is a run, which will end; empty if it is unknown.
std::string holder_text(const io::Directory& pool) {
    io::UniqueFd lock(
        ::openat(pool.fd(), std::string(pool_protocol::lock_name).c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    std::vector<int> holders = lock ? io::lock_holders(lock.get()) : std::vector<int>();
    if (holders.empty()) return "";
    std::string name;
    std::ifstream comm(base::concat("/proc/", holders.front(), "/comm"));
    std::getline(comm, name);
    return base::concat(" (process ", holders.front(),
                        name == "barnum" ? ", a `barnum run`, which hosts it until the run's end)" : ")");
}

base::Error served_by_another(const pool_protocol::PoolDirectory& directory, const io::Directory& pool) {
    return {boost::system::errc::make_error_code(boost::system::errc::resource_unavailable_try_again),
            base::concat("another daemon serves the pool in ", pool.path(), holder_text(pool),
                         "; stop it with `troupe stop ", pool_protocol::options_of(directory),
                         "`, or choose another pool with --pool")};
}

// A daemon whose lock file was removed or replaced still serves the pool, although its lock has no effect. A
// daemon that is being killed may release its lock a moment before its socket.
bool is_accepting(const io::Directory& pool) {
    constexpr int attempts = 5;
    constexpr std::chrono::milliseconds between{20};
    for (int attempt = 0; attempt < attempts; ++attempt) {
        if (io::connect_local(pool, pool_protocol::socket_name).has_error()) return false;
        std::this_thread::sleep_for(between);
    }
    return true;
}

base::Result<io::UniqueFd> take_lock(const pool_protocol::PoolDirectory& directory, const io::Directory& pool,
                                     bool has_socket) {
    auto lock = io::lock_file(pool, pool_protocol::lock_name);
    if (lock.has_error() && lock.error().code == boost::system::errc::resource_unavailable_try_again)
        return served_by_another(directory, pool);
    if (lock.has_error()) return lock.error();
    if (!has_socket && is_accepting(pool)) return served_by_another(directory, pool);
    return lock;
}

bool is_same(const struct stat& a, const struct stat& b) {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

void log_failure(const base::Result<void>& result) {
    if (result.has_error()) io::log::warn(result.error().message);
}

}  // namespace

base::Result<PoolFiles> PoolFiles::claim(const pool_protocol::PoolDirectory& directory, bool has_socket) {
    constexpr int attempts = 5;
    PoolFiles files;
    files.keeps_socket = has_socket;
    // The root is checked first, because that error says what to do.
    if (auto root = io::Directory::make(directory.root); root.has_error()) return root.error();
    base::Result<io::UniqueFd> lock;
    // A pool may be removed between the two.
    for (int attempt = 0; attempt < attempts; ++attempt) {
        auto pool = io::Directory::make(directory.path);
        if (pool.has_error()) return pool.error();
        files.pool = std::move(*pool);
        lock = take_lock(directory, files.pool, has_socket);
        bool was_removed =
            lock.has_error() && lock.error().code == boost::system::errc::no_such_file_or_directory;
        if (!was_removed) break;
    }
    if (lock.has_error()) return lock.error();
    files.lock = std::move(*lock);
    if (auto made = files.make_directories(); made.has_error()) return made.error();
    // The pid is only information for people; but what replaces it at the end is read by who waits for that.
    log_failure(files.pool.overwrite(pool_protocol::lock_name, base::concat(::getpid(), "\n")));
    return files;
}

bool PoolFiles::is_removed() const {
    struct stat open {};
    struct stat found {};
    return ::fstat(pool.fd(), &open) == 0 &&
           (::lstat(pool.path().c_str(), &found) != 0 || !is_same(open, found));
}

base::Result<void> PoolFiles::claim_again(const pool_protocol::PoolDirectory& directory) {
    auto made = claim(directory, false);
    if (made.has_error()) return made.error();
    *this = std::move(*made);
    return {};
}

void PoolFiles::note_socket() {
    struct stat found {};
    if (::fstatat(pool.fd(), pool_protocol::socket_name, &found, AT_SYMLINK_NOFOLLOW) != 0) return;
    socket_device = found.st_dev;
    socket_inode = found.st_ino;
}

bool PoolFiles::has_socket() const {
    struct stat found {};
    return ::fstatat(pool.fd(), pool_protocol::socket_name, &found, AT_SYMLINK_NOFOLLOW) == 0 &&
           found.st_dev == socket_device && found.st_ino == socket_inode;
}

base::Result<void> PoolFiles::make_directories() {
    for (auto [member, name] :
         {std::pair{&agents, "agents"}, {&submissions, "submissions"}, {&scratch, "scratch"}}) {
        auto made = io::Directory::make(pool.path_of(name));
        if (made.has_error()) return made.error();
        *member = std::move(*made);
    }
    return {};
}

bool PoolFiles::is_needed(std::string_view name) const {
    if (name == pool_protocol::earlier_leases_name) return !pool.contains(name);
    return name == "agents" || name == "submissions" || name == "scratch" ||
           name == pool_protocol::leases_name || name == pool_protocol::status_name ||
           name == pool_protocol::socket_name;
}

base::Result<void> PoolFiles::announce() const {
    return pool.write(scratch, pool_protocol::status_name, "");
}

void PoolFiles::retire() const {
    log_failure(pool.remove(pool_protocol::status_name));
    if (!keeps_socket) log_failure(pool.remove(pool_protocol::socket_name));
}

void PoolFiles::note_end(const pool_protocol::DaemonEnd& end) const {
    log_failure(pool.overwrite(pool_protocol::lock_name, pool_protocol::to_json(end) + "\n"));
}

void PoolFiles::forget_leases() const {
    log_failure(pool.remove(pool_protocol::leases_name));
    ::unlinkat(pool.fd(), pool_protocol::earlier_leases_name, AT_REMOVEDIR);
}

// A submitter that is killed leaves the content of its request there.
void PoolFiles::remove_leftovers() const {
    auto day_ago = std::chrono::system_clock::now().time_since_epoch() - std::chrono::hours(24);
    for (const std::string& name : names_in(scratch)) {
        if (scratch.modified(name) > day_ago || io::is_locked(scratch, name).value_or(true)) continue;
        if (auto removed = scratch.remove(name); removed.has_error()) io::log::debug(removed.error().message);
    }
}

// The lock file is removed last, because it keeps other daemons out.
void PoolFiles::remove_all() {
    for (const char* name : {"agents", "submissions", "scratch"})
        if (::unlinkat(pool.fd(), name, AT_REMOVEDIR) != 0 && errno != ENOENT)
            return io::log::info(base::system_error(base::concat("not removing ", pool.path())).message);
    log_failure(pool.remove(pool_protocol::owner_name));
    log_failure(pool.remove(pool_protocol::lock_name));
    if (::rmdir(pool.path().c_str()) != 0)
        io::log::info(base::system_error(base::concat("not removing ", pool.path())).message);
}

std::vector<std::string> names_in(const io::Directory& directory) {
    auto names = directory.names();
    if (names.has_value()) return std::move(*names);
    io::log::warn(names.error().message);
    return {};
}

}  // namespace pool_daemon
