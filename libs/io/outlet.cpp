#include "io/outlet.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cerrno>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

namespace io {

namespace {

constexpr std::size_t most_waiting = std::size_t{4} << 20;

}  // namespace

void Outlet::put(std::string_view line) {
    constexpr std::chrono::milliseconds at_once{0};
    while (!waiting_.empty() && write_some(at_once)) {
    }
    if (waiting_.size() + line.size() > most_waiting) {
        ++left_out_;
        return;
    }
    if (left_out_ > 0)
        waiting_ +=
            base::concat("    … ", base::counted(left_out_, "line"), " left out, which nobody read\n");
    left_out_ = 0;
    waiting_ += line;
    while (!waiting_.empty() && write_some(at_once)) {
    }
}

void Outlet::flush(std::chrono::milliseconds longest) {
    auto end = std::chrono::steady_clock::now() + longest;
    auto left = longest;
    while (!waiting_.empty() && left.count() >= 0 && write_some(left))
        left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
}

// What is ready for a byte takes as many as a pipe takes at once. Without anybody at the other end, there is
// nobody to be told.
bool Outlet::write_some(std::chrono::milliseconds patience) {
    pollfd ready{fd_, POLLOUT, 0};
    int polled = ::poll(&ready, 1, static_cast<int>(patience.count()));
    if (polled < 0 && errno == EINTR) return true;
    if (polled <= 0) return false;
    ssize_t written = ::write(fd_, waiting_.data(), std::min<std::size_t>(waiting_.size(), PIPE_BUF));
    if (written < 0 && errno == EINTR) return true;
    if (written < 0 && errno == EAGAIN) return false;
    if (written <= 0) {
        waiting_.clear();
        return false;
    }
    waiting_.erase(0, static_cast<std::size_t>(written));
    return true;
}

}  // namespace io
