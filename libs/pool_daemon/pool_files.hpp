// The pool's directories and the lock that makes a daemon their only one (R2, R3, R4).
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

    // Takes the lock before anything is written; makes what is missing. errc::resource_unavailable_try_again:
    // another daemon serves the pool, and nothing was touched.
    static base::Result<PoolFiles> claim(const pool_protocol::PoolDirectory& directory);

    // Makes the directories that are missing, and opens all of them anew.
    base::Result<void> make_directories();
    static bool is_directory_name(std::string_view name);

    base::Result<void> announce() const;  // `status`: ready
    void retire() const;                  // removes `status` and the socket; everything else stays (R19)
};

}  // namespace pool_daemon
