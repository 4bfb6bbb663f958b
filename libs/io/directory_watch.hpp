// Events of watched directories, from the process's only inotify instance, with a callback for each
// subscription. Events are hints: the receiver looks at the directory itself. Does not scan and does not
// recurse.
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
        written,   // a file was closed after writing, or renamed to this name: its content is complete
        removed,   // a name was removed
        overflow,  // events were lost: the receiver must scan. No name.
        gone,      // the directory itself was removed or moved: there will be no more events. No name.
    };
    Kind kind;
    std::string_view name;  // valid during the call
};

// To be used from the executor's thread only. Callbacks are called from the event loop.
class DirectoryWatch {
  public:
    explicit DirectoryWatch(boost::asio::any_io_executor executor);
    ~DirectoryWatch();
    DirectoryWatch(const DirectoryWatch&) = delete;
    DirectoryWatch& operator=(const DirectoryWatch&) = delete;

    using Callback = std::function<void(const DirectoryEvent&)>;

    // Destroying it ends the watch.
    class Subscription;

    // Subscriptions of the same directory share a kernel watch. If the kernel grants no inotify instance, the
    // error is EMFILE or ENOSPC, and the caller should poll.
    base::Result<std::unique_ptr<Subscription>> watch(const std::string& directory, Callback callback);
    // Calls `gone` if the directory itself is removed or moved; what happens in it wakes nobody.
    base::Result<std::unique_ptr<Subscription>> watch_place(const std::string& directory,
                                                            std::function<void()> gone);

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
