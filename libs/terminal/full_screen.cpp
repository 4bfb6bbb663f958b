#include "terminal/full_screen.hpp"

#include "terminal/width.hpp"

#include <algorithm>

namespace terminal {

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
