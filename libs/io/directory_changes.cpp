#include "io/directory_changes.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

namespace io {

namespace {

constexpr std::chrono::milliseconds poll_interval{50};

}  // namespace

DirectoryChanges::DirectoryChanges()
    : events_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)), must_poll_(!events_) {}

void DirectoryChanges::watch(const std::string& directory) {
    if (must_poll_ || watched_.contains(directory)) return;
    constexpr std::uint32_t events = IN_CREATE | IN_MODIFY | IN_MOVED_TO | IN_ONLYDIR;
    if (::inotify_add_watch(events_.get(), directory.c_str(), events) >= 0)
        watched_.insert(directory);
    else
        must_poll_ = errno != ENOENT;
}

void DirectoryChanges::wait(std::chrono::milliseconds longest) {
    if (must_poll_) longest = std::min(longest, poll_interval);
    pollfd poll{events_.get(), POLLIN, 0};  // a descriptor of -1 has no events
    if (::poll(&poll, 1, static_cast<int>(longest.count())) <= 0) return;
    std::array<char, 16 * 1024> ignored;
    while (::read(events_.get(), ignored.data(), ignored.size()) > 0) {
    }
}

}  // namespace io
