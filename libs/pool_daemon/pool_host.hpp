// Hosts a pool in a process that needs one, `barnum run`, while nobody else serves it: from the start, when
// the pool's daemon has gone, or when the run that hosts the pool hands it over. Knows nothing of what the
// process does with the pool.
#pragma once

#include "io/directory_watch.hpp"
#include "io/task_group.hpp"
#include "pool_daemon/daemon.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>

namespace pool_daemon {

// All calls from the executor's thread. End it with leave(). `watch` must outlive it.
class PoolHost {
  public:
    struct Settings {
        pool_protocol::PoolDirectory directory;
        std::string version;      // as in Options
        bool is_private = false;  // as in Options: the pool of this run alone
        std::string owner{};      // as in Options
        // Whether the process reaches the pool's daemon, whoever that is.
        std::function<bool()> is_connected;
    };

    PoolHost(boost::asio::any_io_executor executor, io::DirectoryWatch& watch, Settings settings);

    enum class Start {
        hosting,
        taken,   // another daemon is starting
        failed,  // the reason is in the log
    };
    Start start();

    // Hosts the pool if it is still not served after a while. Does nothing if that is under way, if
    // `troupe stop` has stopped the hosted pool, or if the pool is a part of one over many hosts: then the
    // process waits for another daemon.
    void take_over_later();
    // Hosts the pool as soon as its daemon, which has asked for that, has ended.
    void take_over_now();
    // Whether take_over_now() is under way, so that the pool is expected not to be served for a moment.
    bool is_taking_over_now() const { return takes_over_now_; }

    bool is_hosting() const { return daemon_ != nullptr; }
    pool::Load load() const;  // zeros if it is not hosting

    // Ends the takeovers, and then the daemon: stops a private pool and removes it, hands over any other.
    boost::asio::awaitable<void> leave();

  private:
    boost::asio::awaitable<void> serve();
    boost::asio::awaitable<void> take_over_if_away();
    boost::asio::awaitable<void> take_over_when_unlocked();
    bool may_host() const;

    boost::asio::any_io_executor executor_;
    io::DirectoryWatch& watch_;
    Settings settings_;
    std::unique_ptr<Daemon> daemon_;
    io::TaskGroup background_;
    bool takes_over_later_ = false;
    bool takes_over_now_ = false;
    bool stop_requested_ = false;  // by somebody else, with `troupe stop`
};

}  // namespace pool_daemon
