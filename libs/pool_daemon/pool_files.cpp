#include "pool_daemon/pool_files.hpp"

#include "base/text.hpp"
#include "io/file_lock.hpp"
#include "io/log.hpp"
#include "pool_protocol/names.hpp"

#include <boost/system/errc.hpp>

#include <fcntl.h>

namespace pool_daemon {

namespace {

base::Result<io::UniqueFd> take_lock(const io::Directory& pool) {
    auto lock = io::lock_file(pool, pool_protocol::lock_name);
    if (lock.has_error() && lock.error().code == boost::system::errc::resource_unavailable_try_again)
        return base::Error{lock.error().code,
                           base::concat("another daemon serves the pool in ", pool.path(),
                                        "; stop it with `troupe stop`, or choose another pool with --pool")};
    if (lock.has_error()) return lock.error();
    // The number is for people only: nothing trusts it (R3).
    io::UniqueFd text(
        ::openat(pool.fd(), pool_protocol::lock_name, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC));
    if (text) (void)io::write_all(text.get(), base::concat(::getpid(), "\n"));
    return lock;
}

void log_failure(const base::Result<void>& result) {
    if (result.has_error()) io::log::warn(result.error().message);
}

}  // namespace

base::Result<PoolFiles> PoolFiles::claim(const pool_protocol::PoolDirectory& directory) {
    PoolFiles files;
    // The root's own check comes first: its message is the one that names the way out.
    if (auto root = io::Directory::make(directory.root); root.has_error()) return root.error();
    auto pool = io::Directory::make(directory.path);
    if (pool.has_error()) return pool.error();
    files.pool = std::move(*pool);
    auto lock = take_lock(files.pool);
    if (lock.has_error()) return lock.error();
    files.lock = std::move(*lock);
    if (auto made = files.make_directories(); made.has_error()) return made.error();
    return files;
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

bool PoolFiles::is_directory_name(std::string_view name) {
    return name == "agents" || name == "submissions" || name == "scratch";
}

base::Result<void> PoolFiles::announce() const {
    return pool.write(scratch, pool_protocol::status_name, "");
}

void PoolFiles::retire() const {
    log_failure(pool.remove(pool_protocol::status_name));
    log_failure(pool.remove(pool_protocol::socket_name));
}

}  // namespace pool_daemon
