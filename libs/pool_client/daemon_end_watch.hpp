// Notices that the daemon of a pool does not serve it any more: the daemon's status file was removed, or
// replaced by that of another daemon. The end of a killed daemon is noticed when another one serves the pool.
#pragma once

#include "io/directory_watch.hpp"
#include "io/unique_fd.hpp"
#include "pool_protocol/pool_directory.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <functional>
#include <memory>

namespace pool_client {

class DaemonEndWatch {
  public:
    // Watches the daemon that serves the pool when this is called.
    DaemonEndWatch(boost::asio::any_io_executor executor, io::DirectoryWatch& watch,
                   pool_protocol::PoolDirectory directory, std::function<void()> on_end);
    DaemonEndWatch(const DaemonEndWatch&) = delete;
    DaemonEndWatch& operator=(const DaemonEndWatch&) = delete;

    // Begins to watch; further calls do nothing. `on_end` is called once, as long as the object lives: by
    // begin() if the daemon's end has been noticed by then, or else from the event loop.
    void begin();

  private:
    void look();
    void look_later();

    io::DirectoryWatch& watch_;
    pool_protocol::PoolDirectory directory_;
    std::function<void()> on_end_;
    io::UniqueFd status_;  // kept open, so that no other file gets its inode number
    bool has_begun_ = false;
    bool has_ended_ = false;
    std::unique_ptr<io::DirectoryWatch::Subscription> subscription_;
    boost::asio::steady_timer timer_;
    std::shared_ptr<int> alive_ = std::make_shared<int>();
};

}  // namespace pool_client
