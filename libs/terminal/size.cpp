#include "terminal/size.hpp"

#include <algorithm>
#include <sys/ioctl.h>
#include <unistd.h>

namespace terminal {

bool is_terminal(int fd) {
    return ::isatty(fd) == 1;
}

Size size_of(int fd) {
    winsize window{};
    if (::ioctl(fd, TIOCGWINSZ, &window) != 0 || window.ws_col == 0 || window.ws_row == 0) return {};
    return {std::max<std::size_t>(2, window.ws_col), std::max<std::size_t>(2, window.ws_row)};
}

}  // namespace terminal
