// A pool in a temporary folder, and the lives of the daemon that serves it: begun, driven a step at a time,
// ended in order or by a kill. Each life has an event loop of its own, that what is left in it goes with it.
#pragma once

#include "pool_daemon/daemon.hpp"

#include <boost/asio/io_context.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace model {

class ServedPool {
  public:
    ServedPool();
    ~ServedPool();
    ServedPool(const ServedPool&) = delete;
    ServedPool& operator=(const ServedPool&) = delete;

    const pool_protocol::PoolDirectory& directory() const { return directory_; }

    // With `calls`, here and below: the daemon is killed after so many system calls, if it makes so many.
    enum class Start { done, killed, failed };  // failed: for want of room on the disk
    Start start(pool_daemon::Options options, std::optional<std::uint64_t> calls);
    bool is_served() const { return daemon_ != nullptr; }

    enum class Step { nothing_to_do, done, killed };
    Step poll_one(std::optional<std::uint64_t> calls);
    // The daemon, and nobody else, finds no room on the disk.
    void set_disk_full(bool is_full) { disk_is_full_ = is_full; }

    void kill();
    void drain();
    bool asks_to_stop() const { return asks_to_stop_; }
    // `meanwhile` is called again and again until the daemon has ended.
    void stop(const std::function<void()>& meanwhile);
    void hand_over(const std::function<void()>& meanwhile);
    // Agents that it knows of.
    std::size_t agents() const;

  private:
    boost::asio::awaitable<void> listen_for_end();
    void run(boost::asio::awaitable<void> end, const std::function<void()>& meanwhile);
    void turn();

    std::string folder_;
    pool_protocol::PoolDirectory directory_;
    std::unique_ptr<boost::asio::io_context> loop_;
    std::unique_ptr<io::DirectoryWatch> watch_;
    std::unique_ptr<pool_daemon::Daemon> daemon_;
    bool asks_to_stop_ = false;
    bool disk_is_full_ = false;
};

}  // namespace model
