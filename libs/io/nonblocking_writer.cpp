#include "io/nonblocking_writer.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

namespace io {

namespace {

constexpr std::size_t most_waiting = std::size_t{4} << 20;

// A terminal is writable as soon as it has some space, which comes in steps of 256 bytes. A line feed needs
// two bytes, a tab up to eight.
constexpr std::size_t small_piece = 32;

// O_NONBLOCK belongs to the open file description, which is shared with the shell. So a terminal is opened
// again.
UniqueFd open_terminal_again(int fd) {
    if (::isatty(fd) == 0) return {};
    return UniqueFd(
        ::open(base::concat("/proc/self/fd/", fd).c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

}  // namespace

NonblockingWriter::NonblockingWriter(int fd)
    : own_(open_terminal_again(fd)),
      fd_(own_ ? own_.get() : fd),
      most_at_once_(own_ || ::isatty(fd) == 0 ? PIPE_BUF : small_piece) {}

void NonblockingWriter::put(std::string_view line) {
    write_at_once();
    if (waiting_.size() + line.size() > most_waiting) {
        ++left_out_;
        return;
    }
    if (left_out_ > 0)
        waiting_ += base::concat("    … ", base::counted(left_out_, "line"),
                                 " dropped because the reader was too slow\n");
    left_out_ = 0;
    waiting_ += line;
    write_at_once();
}

bool NonblockingWriter::is_backed_up() {
    write_at_once();
    return !waiting_.empty();
}

void NonblockingWriter::flush(std::chrono::milliseconds longest) {
    auto end = std::chrono::steady_clock::now() + longest;
    auto left = longest;
    while (!waiting_.empty() && left.count() >= 0 && write_some(left))
        left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
}

void NonblockingWriter::write_at_once() {
    while (!waiting_.empty() && write_some(std::chrono::milliseconds(0))) {
    }
}

// A descriptor that is writable accepts as many bytes as a pipe accepts atomically. If there is no reader,
// the error cannot be reported to anybody.
bool NonblockingWriter::write_some(std::chrono::milliseconds timeout) {
    pollfd ready{fd_, POLLOUT, 0};
    int polled = ::poll(&ready, 1, static_cast<int>(timeout.count()));
    if (polled < 0 && errno == EINTR) return true;
    if (polled <= 0) return false;
    ssize_t written = ::write(fd_, waiting_.data(), std::min(waiting_.size(), most_at_once_));
    if (written < 0 && errno == EINTR) return true;
    if (written < 0 && errno == EAGAIN) {
        // Another process is writing to the terminal, or waiting to.
        constexpr int moment = 1;
        return timeout.count() > 0 && ::poll(nullptr, 0, moment) == 0;
    }
    if (written <= 0) {
        write_error_ = written < 0 ? errno : EIO;
        is_gone_ = true;
        waiting_.clear();
        return false;
    }
    waiting_.erase(0, static_cast<std::size_t>(written));
    return true;
}

}  // namespace io
