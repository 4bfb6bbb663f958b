// A process beside this one that does nothing but wait for this one's end. Should that come without a word,
// by SIGKILL or a crash, it kills what was left running. It doesn't watch over a process that ends in
// order.
#pragma once

#include "base/error.hpp"
#include "io/unique_fd.hpp"
#include "process/marked_processes.hpp"

#include <boost/asio/awaitable.hpp>

#include <vector>

namespace process {

class Guard {
  public:
    // From now on there die with this one, within 2 s: every process that carries all of `variables`, the
    // live groups, and what descends from either, unless it has left a group that may be left. Call it while
    // the process has one thread and no event loop. The guard shares `keep_fds` (not 0 to 2), a locked file's
    // for instance, until all that it kills is gone: a flock is free only then, unless it is given up by
    // LOCK_UN.
    static base::Result<Guard> start(const Environment& variables, const std::vector<int>& keep_fds = {});

    // The guard shares `fd`, too, from now on, in place of the one given before; -1: none. The peer of a
    // socket that is closed here sees its end only when the guard has let go of it: so give it -1, or the
    // next one, as you close it. One whose peer has gone the guard lets go by itself. Never waits: with a
    // guard that is dead, or stopped for so long that hundreds of calls are before this one, nothing happens.
    void hold(int fd);

    // Waits for the guard's own end, should somebody kill it, and says so. A terminal cancellation throws
    // operation_aborted. The guard must neither move nor go meanwhile.
    boost::asio::awaitable<void> watch();

    // Lets the guard go: nothing is killed.
    ~Guard();
    Guard(Guard&& other) noexcept;
    Guard& operator=(Guard&&) = delete;

  private:
    Guard(int pid, io::UniqueFd alive) : pid_(pid), alive_(std::move(alive)) {}

    void reap();

    int pid_;
    io::UniqueFd alive_;  // sends the guard what to hold; closed, by whatever end, it sets it to work
};

}  // namespace process
