#include "terminal/full_screen.hpp"

#include "terminal/width.hpp"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace terminal {

namespace {

bool write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0 && errno == EAGAIN) {
            pollfd ready{fd, POLLOUT, 0};
            ::poll(&ready, 1, -1);
            continue;
        }
        if (written <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

}  // namespace

std::string enter_full_screen() {
    return "\x1b[?1049h\x1b[?25l\x1b[H\x1b[2J";
}

std::string full_screen_frame(const std::vector<std::string>& lines, Size size) {
    std::string bytes = "\x1b[H";
    std::size_t shown = std::min(lines.size(), size.rows);
    for (std::size_t i = 0; i < shown; ++i) {
        if (i > 0) bytes += "\r\n";
        bytes += cut(lines[i], size.columns - 1);
        bytes += "\x1b[K";
    }
    return bytes + (shown == 0 ? "\x1b[2J" : "\x1b[J");
}

std::string leave_full_screen() {
    return "\x1b[?25h\x1b[?1049l";
}

FullScreen::FullScreen(int fd) : fd_(fd) {
    write_all(fd_, enter_full_screen());
}

FullScreen::~FullScreen() {
    write_all(fd_, leave_full_screen());
}

bool FullScreen::show(const std::vector<std::string>& lines) {
    return write_all(fd_, full_screen_frame(lines, size()));
}

UnseenKeys::UnseenKeys(int fd) : fd_(fd) {
    if (::tcgetattr(fd_, &before_) != 0) return;
    termios changed = before_;
    changed.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON);
    changed.c_cc[VMIN] = 1;
    changed.c_cc[VTIME] = 0;
    changed_ = ::tcsetattr(fd_, TCSANOW, &changed) == 0;
}

UnseenKeys::~UnseenKeys() {
    if (changed_) ::tcsetattr(fd_, TCSANOW, &before_);
}

}  // namespace terminal
