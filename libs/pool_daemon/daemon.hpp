// The pool daemon, inside an io_context of its caller: `troupe start` runs it alone, `barnum run` next to the
// runner. Holds the pool's lock, listens on its socket, and watches its directory.
#pragma once

#include "base/error.hpp"
#include "edge_shell/engine.hpp"
#include "io/directory_watch.hpp"
#include "io/unique_fd.hpp"
#include "pool/machine.hpp"
#include "pool_protocol/pool_directory.hpp"
#include "pool_protocol/status.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace pool_daemon {

// The engine that connects this host's part of a pool over many hosts with the others.
struct EngineOptions {
    edge::Times times{};
    // `self`: the id of this host's edge.
    std::function<std::unique_ptr<edge_shell::Engine>(const edge::EdgeId& self)> make;
};

struct Options {
    std::chrono::milliseconds idle_timeout{180'000};     // until a heartbeat
    std::chrono::milliseconds task_timeout{86'400'000};  // 0: none
    bool heartbeats = true;
    std::chrono::milliseconds reconnect_time{60'000};  // that a submitter has after its connection is lost
    std::size_t max_message_bytes = std::size_t{64} << 20;  // of a request and of a response
    std::string version;                                    // of the program, for the status
    bool is_hosted = false;                                 // by its submitter, which reports timeouts itself
    // The pool of a single run with its own agents. No other process serves it, and all processes of an
    // earlier daemon's agents have ended.
    bool is_private = false;
    std::string owner{};  // of such a pool: the path of the run's state log; empty: nothing is noted
    std::optional<EngineOptions> engine{};
};

// To be used from the executor's thread only.
class Daemon {
  public:
    // Creates the directories, takes the lock, opens the socket, and writes `status`.
    // errc::resource_unavailable_try_again if another daemon has the lock; then nothing was changed. With an
    // `inherited` socket, that one is used, and not removed at the end.
    static base::Result<std::unique_ptr<Daemon>> start(boost::asio::any_io_executor executor,
                                                       io::DirectoryWatch& watch,
                                                       pool_protocol::PoolDirectory directory,
                                                       Options options, io::UniqueFd inherited = {});
    ~Daemon();
    Daemon(const Daemon&) = delete;
    Daemon& operator=(const Daemon&) = delete;

    // Returns when a stop was requested, by `status` or by request_stop(), or when a drain is complete.
    boost::asio::awaitable<void> until_stop_requested();
    void request_stop();

    // Stops assigning tasks: queued and new ones are answered `stopped`. The daemon requests its own stop
    // when the last task is done. Writing `drain` to `status` does the same.
    void request_drain();

    // Answers everything with `stopped`, kicks the agents, removes the daemon's files, ends its coroutines.
    // Takes at most 5 s, of which agents have 2.5 s to end their work; after a drain, it waits until earlier
    // answers were sent. With an engine, it hands its tasks to other hosts, for up to 3 s more.
    boost::asio::awaitable<void> stop();

    // Ends the service without a message to the agents: they keep their tasks, and the next daemon of this
    // pool continues with them. Of the runs that can host, the one that has waited longest is asked to host
    // the pool. Submitters that cannot ask again are answered `stopped`. Takes at most 2 s. Does what stop()
    // does if there are no agents, but does not note that the pool was stopped.
    boost::asio::awaitable<void> hand_over();
    // To be called after stop(): removes the pool's directories if they are empty.
    void remove_pool();

    // Whether it has requested its own stop because the pool's directory was removed, and it cannot go on in
    // a new one: another daemon serves the pool by now, or it has an engine.
    bool is_displaced() const;

    // A line for people: agents, queue, and whether it drains.
    std::string state() const;

    // What {"kind":"Status"} on the socket is answered with. Linear in the number of agents.
    pool_protocol::Status status() const;

    // The number of agents in each state. Linear in the number of agents.
    pool::Load load() const;

  private:
    class Impl;
    explicit Daemon(std::shared_ptr<Impl> impl);
    std::shared_ptr<Impl> impl_;
};

// Whether a daemon, possibly one that is about to end, has the pool's lock.
bool is_locked(const pool_protocol::PoolDirectory& directory);

// Whether a daemon serves the pool now: something accepts connections on its socket.
bool is_served(const pool_protocol::PoolDirectory& directory);

}  // namespace pool_daemon
