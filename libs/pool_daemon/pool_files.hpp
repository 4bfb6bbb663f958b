// The pool's directories and the lock that makes a daemon their only one.
#pragma once

#include "base/error.hpp"
#include "io/directory.hpp"
#include "pool_protocol/pool_directory.hpp"

namespace pool_daemon {

struct PoolFiles {
    io::Directory pool;
    io::Directory agents;
    io::Directory submissions;
    io::Directory scratch;
    io::UniqueFd lock;
    bool keeps_socket = false;

    // Takes the lock before anything is written; makes what is missing. errc::resource_unavailable_try_again:
    // another daemon serves the pool, and nothing was touched.
    // `has_socket`: the pool's socket was opened for us beforehand, and is not ours to remove.
    static base::Result<PoolFiles> claim(const pool_protocol::PoolDirectory& directory, bool has_socket);

    // Makes the directories that are missing, and opens all of them anew.
    base::Result<void> make_directories();
    // Whether the daemon makes it again when it is removed: a directory, the file of leases, `status`.
    static bool is_needed(std::string_view name);

    base::Result<void> announce() const;  // `status`: ready
    void retire() const;                  // removes `status` and the socket; everything else stays
    void forget_leases() const;           // when nobody has a task any more
    void remove_all();                    // the directories, as far as they are empty, and the lock with them
};

}  // namespace pool_daemon
