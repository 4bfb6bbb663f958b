// A process that waits for the end of this process. If this process ends without notice, by SIGKILL or a
// crash, the guard kills the commands that it left running. If the process destroys its Guard, the guard ends
// and does nothing.
#pragma once

#include "base/error.hpp"
#include "io/unique_fd.hpp"
#include "process/marked_processes.hpp"

#include <boost/asio/awaitable.hpp>

#include <string>
#include <vector>

namespace process {

class Guard {
  public:
    // Starts the guard. If this process dies, the guard kills within 2 s: every process that carries all of
    // `variables`, the live groups, and their descendants, except processes that have left a group with
    // `may_leave` (process/live_groups). Call it while the process has one thread and no event loop. The
    // guard shares `keep_fds` (not 0 to 2), for example that of a locked file, until all these processes are
    // gone: a flock is released only then, unless it is released with LOCK_UN. Before that, it removes the
    // files and directories `leftovers`, if they are there.
    static base::Result<Guard> start(const Environment& variables, const std::vector<int>& keep_fds = {},
                                     const std::vector<std::string>& leftovers = {});

    // Makes the guard share `fd` as well, in place of the last one; -1: none. If `fd` is a socket, its peer
    // sees the end of the connection only when the guard has closed it too; so call this with -1, or with the
    // next descriptor, when you close it. The guard itself closes a socket whose peer is gone. Never blocks:
    // if the guard is dead, or stopped for so long that hundreds of calls are pending, the call has no
    // effect.
    void hold(int fd);

    // Waits for the end of the guard, in case it is killed, and logs a warning then. A terminal cancellation
    // throws operation_aborted. The guard must not be moved or destroyed meanwhile.
    boost::asio::awaitable<void> watch();

    // Ends the guard; nothing is killed.
    ~Guard();
    Guard(Guard&& other) noexcept;
    Guard& operator=(Guard&&) = delete;

  private:
    Guard(int pid, io::UniqueFd alive) : pid_(pid), alive_(std::move(alive)) {}

    void reap();

    int pid_;
    io::UniqueFd alive_;  // sends the guard the descriptors to share; when it is closed, for whatever reason,
                          // the guard starts to kill
};

}  // namespace process
