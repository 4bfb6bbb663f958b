// The pool daemon inside somebody's io_context: `troupe start` hosts it alone, `barnum run` beside the
// runner. Holds the pool's lock, listens on its socket, watches its directory.
#pragma once

#include "base/error.hpp"
#include "io/directory_watch.hpp"
#include "io/unique_fd.hpp"
#include "pool/machine.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

namespace pool_daemon {

struct Options {
    std::chrono::milliseconds idle_timeout{180'000};     // heartbeats
    std::chrono::milliseconds task_timeout{86'400'000};  // 0: none
    bool heartbeats = true;
    std::size_t max_message_bytes = std::size_t{64} << 20;  // of a request and of a response
    bool is_hosted = false;  // by its submitter, which tells of timeouts itself
    // The pool of one run, with agents of its own, which nobody else serves; what agents of an earlier daemon
    // of it had started has ended.
    bool is_private = false;
};

// All calls from the executor's thread.
class Daemon {
  public:
    // Makes the directories, takes the lock (errc::resource_unavailable_try_again when another daemon has
    // it), opens the socket unless it has `inherited` one, which then stays there, and writes `status`.
    // Nothing of the pool has been touched when this fails on the lock.
    static base::Result<std::unique_ptr<Daemon>> start(boost::asio::any_io_executor executor,
                                                       io::DirectoryWatch& watch,
                                                       pool_protocol::PoolDirectory directory,
                                                       Options options, io::UniqueFd inherited = {});
    ~Daemon();
    Daemon(const Daemon&) = delete;
    Daemon& operator=(const Daemon&) = delete;

    // Returns when the daemon has been told to stop, by `status` or by request_stop(), or has drained.
    boost::asio::awaitable<void> until_stop_requested();
    void request_stop();

    // Gives out no task any more: what waits and what comes is answered `stopped`. The daemon asks itself to
    // stop when the last task is done. The word `drain` in `status` does the same.
    void request_drain();

    // Answers everything with `stopped`, kicks the agents, removes its own files, ends its coroutines.
    // At most 5 s, of which agents have 2.5 s to end their work; after a drain the answers given before are
    // sent to the end.
    boost::asio::awaitable<void> stop();

    // Ends the service without a word to the agents: what they have, they keep, and the next daemon of this
    // pool goes on with them. The run that has waited longest, of those that can host, is asked to do so. Who
    // can't come back for its answer is answered `stopped`. At most 2 s. The same as stop() when there is
    // nobody.
    boost::asio::awaitable<void> hand_over();
    // Behind stop(): removes the pool's directories, as far as they are empty.
    void remove_pool();

    // For people, in a line: agents and queue, and whether it drains. The whole of it is told to who asks for
    // {"kind":"Status"} on the socket (pool_protocol/status).
    std::string state() const;

    // How many agents wait and work. Looks at each of them.
    pool::Load load() const;

  private:
    class Impl;
    explicit Daemon(std::shared_ptr<Impl> impl);
    std::shared_ptr<Impl> impl_;
};

// Whether a daemon, or one that is about to end, has the pool's lock.
bool is_locked(const pool_protocol::PoolDirectory& directory);

// Whether a daemon serves the pool now: something accepts connections on its socket.
bool is_served(const pool_protocol::PoolDirectory& directory);

}  // namespace pool_daemon
