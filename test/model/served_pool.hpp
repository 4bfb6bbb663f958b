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
    // False: it was.
    bool start(pool_daemon::Options options, std::optional<std::uint64_t> calls);
    bool is_served() const { return daemon_ != nullptr; }

    enum class Step { nothing_to_do, done, killed };
    Step poll_one(std::optional<std::uint64_t> calls);
    // Waits until something happens, but not long.
    void wait();

    void kill();
    void drain();
    bool asks_to_stop() const { return asks_to_stop_; }
    // `meanwhile` is called again and again until the daemon has stopped.
    void stop(const std::function<void()>& meanwhile);

  private:
    boost::asio::awaitable<void> listen_for_end();

    std::string folder_;
    pool_protocol::PoolDirectory directory_;
    std::unique_ptr<boost::asio::io_context> loop_;
    std::unique_ptr<io::DirectoryWatch> watch_;
    std::unique_ptr<pool_daemon::Daemon> daemon_;
    bool asks_to_stop_ = false;
};

}  // namespace model
