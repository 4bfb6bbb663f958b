#include "io/directory_watch.hpp"

#include "base/text.hpp"
#include "io/unique_fd.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/container/small_vector.hpp>

#include <array>
#include <map>
#include <sys/inotify.h>

namespace io {

namespace asio = boost::asio;

namespace {

constexpr std::uint32_t place_events = IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_DONT_FOLLOW;
constexpr std::uint32_t watched_events =
    place_events | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE;

DirectoryEvent to_event(const inotify_event& event) {
    using Kind = DirectoryEvent::Kind;
    std::string_view name = event.len > 0 ? std::string_view(event.name) : std::string_view();
    if (event.mask & IN_Q_OVERFLOW) return {Kind::overflow, {}};
    if (event.mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT)) return {Kind::gone, {}};
    if (event.mask & (IN_DELETE | IN_MOVED_FROM)) return {Kind::removed, name};
    return {Kind::written, name};
}

}  // namespace

class DirectoryWatch::Impl : public std::enable_shared_from_this<Impl> {
  public:
    explicit Impl(asio::any_io_executor executor) : inotify_(executor) {}

    // Events are added to those of an earlier watch of the same directory.
    base::Result<std::unique_ptr<Subscription>> watch(const std::string& directory, std::uint32_t events,
                                                      Callback callback) {
        if (auto opened = open(); opened.has_error()) return opened.error();
        int wd = ::inotify_add_watch(inotify_.native_handle(), directory.c_str(), events | IN_MASK_ADD);
        if (wd < 0) return base::system_error(base::concat("cannot watch ", directory));
        std::uint64_t number = ++last_number_;
        callbacks_[wd].emplace(number, std::make_shared<Callback>(std::move(callback)));
        return std::unique_ptr<Subscription>(new Subscription(weak_from_this(), wd, number));
    }

    void unsubscribe(int wd, std::uint64_t number) {
        auto found = callbacks_.find(wd);
        if (found == callbacks_.end()) return;
        found->second.erase(number);
        if (!found->second.empty()) return;
        callbacks_.erase(found);
        ::inotify_rm_watch(inotify_.native_handle(), wd);
        // A process without subscriptions has no pending read, so the watch does not keep its event loop
        // running.
        if (callbacks_.empty()) inotify_.cancel();
    }

    void close() { inotify_.close(); }

  private:
    base::Result<void> open() {
        if (!inotify_.is_open()) {
            UniqueFd fd(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
            if (!fd) return base::system_error("cannot get an inotify instance");
            inotify_.assign(fd.release());
        }
        if (!reading_) read();
        return {};
    }

    void read() {
        reading_ = true;
        inotify_.async_read_some(asio::buffer(buffer_), [self = shared_from_this()](
                                                            boost::system::error_code ec, std::size_t size) {
            self->reading_ = false;
            if (!ec) self->dispatch(size);
            if (!self->callbacks_.empty() && !self->reading_ && self->inotify_.is_open()) self->read();
        });
    }

    void dispatch(std::size_t size) {
        for (std::size_t at = 0; at < size;) {
            const auto* event = reinterpret_cast<const inotify_event*>(
                static_cast<const void*>(buffer_.data() + at));  // the kernel aligns the records
            deliver(event->wd, to_event(*event));
            at += sizeof(inotify_event) + event->len;
        }
    }

    // A callback may subscribe or unsubscribe. So the list is copied first, and callbacks that were
    // unsubscribed meanwhile are not called.
    void deliver(int wd, const DirectoryEvent& event) {
        boost::container::small_vector<std::weak_ptr<Callback>, 4> receivers;
        for (const auto& [watched, subscribers] : callbacks_)
            if (wd == watched || event.kind == DirectoryEvent::Kind::overflow)
                for (const auto& [number, callback] : subscribers)
                    receivers.push_back(callback);
        for (const auto& receiver : receivers)
            if (auto callback = receiver.lock()) (*callback)(event);
    }

    asio::posix::stream_descriptor inotify_;
    std::map<int, std::map<std::uint64_t, std::shared_ptr<Callback>>> callbacks_;
    std::uint64_t last_number_ = 0;
    bool reading_ = false;
    alignas(inotify_event) std::array<char, 64 * 1024> buffer_{};
};

DirectoryWatch::DirectoryWatch(asio::any_io_executor executor) : impl_(std::make_shared<Impl>(executor)) {}

DirectoryWatch::~DirectoryWatch() {
    impl_->close();
}

base::Result<std::unique_ptr<DirectoryWatch::Subscription>> DirectoryWatch::watch(
    const std::string& directory, Callback callback) {
    return impl_->watch(directory, watched_events, std::move(callback));
}

base::Result<std::unique_ptr<DirectoryWatch::Subscription>> DirectoryWatch::watch_place(
    const std::string& directory, std::function<void()> gone) {
    return impl_->watch(directory, place_events, [gone = std::move(gone)](const DirectoryEvent& event) {
        if (event.kind == DirectoryEvent::Kind::gone) gone();
    });
}

DirectoryWatch::Subscription::Subscription(std::weak_ptr<Impl> impl, int watch_descriptor,
                                           std::uint64_t number)
    : impl_(std::move(impl)), watch_descriptor_(watch_descriptor), number_(number) {}

DirectoryWatch::Subscription::~Subscription() {
    if (auto impl = impl_.lock()) impl->unsubscribe(watch_descriptor_, number_);
}

}  // namespace io
