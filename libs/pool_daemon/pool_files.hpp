// The pool's directories, and the lock that ensures that there is only one daemon.
#pragma once

#include "base/error.hpp"
#include "io/directory.hpp"
#include "pool_protocol/daemon_end.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace pool_daemon {

struct PoolFiles {
    io::Directory pool;
    io::Directory agents;
    io::Directory submissions;
    io::Directory scratch;
    io::UniqueFd lock;
    bool keeps_socket = false;
    dev_t socket_device = 0;  // and inode: of the socket file, 0 before note_socket()
    ino_t socket_inode = 0;

    // Takes the lock before anything is written, then creates missing directories.
    // errc::resource_unavailable_try_again: another daemon serves the pool, and nothing was changed.
    // `has_socket`: the pool's socket was passed to this process, and must not be removed.
    static base::Result<PoolFiles> claim(const pool_protocol::PoolDirectory& directory, bool has_socket);

    // Whether the pool's path does not lead to the open directory any more.
    bool is_removed() const;
    // Does what claim() does, for a daemon whose pool's directory was removed.
    base::Result<void> claim_again(const pool_protocol::PoolDirectory& directory);

    // The socket file that exists now is the one on which this daemon listens.
    void note_socket();
    // Whether that socket file is still there.
    bool has_socket() const;

    // Creates missing directories, and opens all of them again.
    base::Result<void> make_directories();
    // Whether the daemon creates the file of this name again when it was removed: a directory, the file of
    // leases, `status`, the socket; but not what was there for an earlier version, and has been replaced.
    bool is_needed(std::string_view name) const;

    base::Result<void> announce() const;  // `status`: ready
    void retire() const;                  // removes `status` and the socket; everything else stays
    void note_end(const pool_protocol::DaemonEnd& end) const;  // in the lock file
    void forget_leases() const;                                // when no agent has a task any more
    void remove_leftovers() const;  // files in scratch/ that are a day old, and that nobody has locked
    void remove_all();              // the directories, if they are empty, and the lock
};

// Does what Directory::names() does, but logs an error, and returns no names then.
std::vector<std::string> names_in(const io::Directory& directory);

}  // namespace pool_daemon
