// The process's one inotify instance as a stream of events, a callback for each directory watched. Events are
// hints: the reader looks at the directory. Does not scan, does not recurse.
#pragma once

#include "base/error.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace io {

struct DirectoryEvent {
    enum class Kind {
        written,   // a file was closed after writing, or was renamed to this name: its content is complete
        removed,   // a name went away
        overflow,  // events were lost: scan. No name.
        gone,      // the directory itself was removed or moved: nothing more will come. No name.
    };
    Kind kind;
    std::string_view name;  // valid during the call
};

// All calls from the executor's thread. Copies of a Subscription's callback run from the event loop.
class DirectoryWatch {
  public:
    explicit DirectoryWatch(boost::asio::any_io_executor executor);
    ~DirectoryWatch();
    DirectoryWatch(const DirectoryWatch&) = delete;
    DirectoryWatch& operator=(const DirectoryWatch&) = delete;

    using Callback = std::function<void(const DirectoryEvent&)>;

    // Ends the watch when destroyed.
    class Subscription;

    // Several subscriptions of one directory share a kernel watch. Where the kernel grants no inotify
    // instance the error is EMFILE or ENOSPC, and the caller polls.
    base::Result<std::unique_ptr<Subscription>> watch(const std::string& directory, Callback callback);

  private:
    class Impl;
    std::shared_ptr<Impl> impl_;
};

class DirectoryWatch::Subscription {
  public:
    ~Subscription();
    Subscription(const Subscription&) = delete;
    Subscription& operator=(const Subscription&) = delete;

  private:
    friend class DirectoryWatch::Impl;
    Subscription(std::weak_ptr<Impl> impl, int watch_descriptor, std::uint64_t number);
    std::weak_ptr<Impl> impl_;
    int watch_descriptor_;
    std::uint64_t number_;
};

}  // namespace io
