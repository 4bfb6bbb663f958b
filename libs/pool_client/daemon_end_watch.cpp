#include "pool_client/daemon_end_watch.hpp"

#include "io/directory.hpp"
#include "pool_protocol/names.hpp"

#include <chrono>
#include <sys/stat.h>
#include <utility>

namespace pool_client {

namespace {

constexpr std::chrono::milliseconds status_poll_interval{500};  // if inotify is not available

// Invalid if no daemon serves the pool.
io::UniqueFd open_status(const pool_protocol::PoolDirectory& directory) {
    auto pool = io::Directory::open(directory.path);
    if (pool.has_error()) return {};
    auto status = pool->open_file(pool_protocol::status_name);
    return status.has_value() ? std::move(status->fd) : io::UniqueFd();
}

bool is_same_file(const io::UniqueFd& a, const io::UniqueFd& b) {
    struct stat first {};
    struct stat second {};
    return ::fstat(a.get(), &first) == 0 && ::fstat(b.get(), &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

}  // namespace

DaemonEndWatch::DaemonEndWatch(boost::asio::any_io_executor executor, io::DirectoryWatch& watch,
                               pool_protocol::PoolDirectory directory, std::function<void()> on_end)
    : watch_(watch),
      directory_(std::move(directory)),
      on_end_(std::move(on_end)),
      status_(open_status(directory_)),
      timer_(executor) {}

void DaemonEndWatch::begin() {
    if (std::exchange(has_begun_, true)) return;
    auto subscribed = watch_.watch(directory_.path, [this](const io::DirectoryEvent& event) {
        if (event.name.empty() || event.name == pool_protocol::status_name) look();
    });
    if (subscribed.has_value())
        subscription_ = std::move(*subscribed);
    else
        look_later();
    look();  // at what happened before the watch began
}

void DaemonEndWatch::look() {
    if (has_ended_ || is_same_file(status_, open_status(directory_))) return;
    has_ended_ = true;
    subscription_.reset();
    timer_.cancel();
    auto on_end = std::move(on_end_);  // it may destroy this object
    on_end();
}

void DaemonEndWatch::look_later() {
    timer_.expires_after(status_poll_interval);
    timer_.async_wait([this, alive = std::weak_ptr(alive_)](boost::system::error_code ec) {
        if (ec || alive.expired()) return;
        look_later();
        look();
    });
}

}  // namespace pool_client
