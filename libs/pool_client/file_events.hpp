// Waits for changes in a directory: by inotify if the kernel allows it, otherwise by polling.
#pragma once

#include "io/directory_watch.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace pool_client {

// Create it before reading the directory, so that no change is missed in between.
class FileEvents {
  public:
    // Only events that concern one of `names` count.
    FileEvents(boost::asio::any_io_executor executor, io::DirectoryWatch& watch, const std::string& directory,
               std::vector<std::string> names);
    FileEvents(const FileEvents&) = delete;
    FileEvents& operator=(const FileEvents&) = delete;

    // Returns after the next event, at once if there was one since the last call, when the next poll is due,
    // or at `deadline`. A terminal cancellation throws operation_aborted.
    boost::asio::awaitable<void> next(
        std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max());

  private:
    void happened(const io::DirectoryEvent& event);

    std::vector<std::string> names_;
    boost::asio::steady_timer timer_;
    std::unique_ptr<io::DirectoryWatch::Subscription> subscription_;  // null: polling
    std::chrono::milliseconds poll_interval_;
    bool pending_ = false;
};

}  // namespace pool_client
