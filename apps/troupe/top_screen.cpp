#include "top_screen.hpp"

#include "cli/command_line.hpp"
#include "terminal/color.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace troupe {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::milliseconds last_wait{1000};

// The terminal opened once more: reading without waiting is a property of the open file, and stdin is the
// shell's, too.
int open_keys() {
    return ::open("/dev/tty", O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
}

}  // namespace

TopScreen::TopScreen(asio::io_context& loop, std::function<void(int)> on_end)
    : on_end_(std::move(on_end)),
      signals_(loop, SIGINT, SIGTERM, SIGHUP),
      keys_(loop),
      screen_(STDOUT_FILENO),
      colored_(terminal::wants_color(terminal::Color::automatic, true, terminal::Environment::current())) {
    signals_.add(SIGWINCH);
    signals_.add(SIGTSTP);
    wait_for_signal();
    if (int tty = open_keys(); tty >= 0) {
        keys_.assign(tty);
        unseen_.emplace(tty);
        wait_for_keys();
    }
    enter();
}

TopScreen::~TopScreen() {
    leave();
}

void TopScreen::enter() {
    screen_.put(terminal::enter_full_screen());
    is_shown_ = true;
}

void TopScreen::leave() {
    if (!std::exchange(is_shown_, false)) return;
    screen_.put(terminal::leave_full_screen());
    screen_.flush(last_wait);
}

void TopScreen::show(pool_protocol::Status status) {
    status_ = std::move(status);
    draw();
}

void TopScreen::show(std::string problem) {
    status_.reset();
    problem_ = std::move(problem);
    draw();
}

void TopScreen::close() {
    signals_.cancel();
    boost::system::error_code ignored;
    unseen_.reset();
    keys_.close(ignored);
    leave();
}

void TopScreen::draw() {
    if (!is_shown_ || (!status_ && problem_.empty()) || screen_.is_backed_up()) return;
    terminal::Size size = terminal::size_of(STDOUT_FILENO);
    pool_view::DisplayOptions looks{size, colored_};
    --looks.size.columns;  // the last one stays free
    screen_.put(terminal::full_screen_frame(
        status_ ? pool_view::screen_lines(*status_, looks) : pool_view::screen_lines(problem_, looks), size));
    if (screen_.is_gone()) on_end_(cli::failure);
}

// Whoever looks at the shell meanwhile has the terminal as it was.
void TopScreen::suspend() {
    leave();
    unseen_.reset();
    ::raise(SIGSTOP);
    if (keys_.is_open()) unseen_.emplace(keys_.native_handle());
    enter();
    draw();
}

void TopScreen::wait_for_signal() {
    signals_.async_wait([this, alive = std::weak_ptr(alive_)](boost::system::error_code ec, int number) {
        if (ec || alive.expired()) return;
        wait_for_signal();
        if (number == SIGWINCH) return draw();
        if (number == SIGTSTP) return suspend();
        on_end_(number == SIGINT ? static_cast<int>(cli::ok) : 128 + number);
    });
}

void TopScreen::wait_for_keys() {
    keys_.async_wait(asio::posix::stream_descriptor::wait_read,
                     [this, alive = std::weak_ptr(alive_)](boost::system::error_code ec) {
                         if (ec || alive.expired() || !keys_.is_open()) return;
                         if (read_keys()) wait_for_keys();
                     });
}

// False when there will be no more.
bool TopScreen::read_keys() {
    std::array<char, 64> keys;
    ssize_t size = ::read(keys_.native_handle(), keys.data(), keys.size());
    if (size < 0) return errno == EAGAIN || errno == EINTR;
    for (ssize_t i = 0; i < size; ++i)
        if (keys[static_cast<std::size_t>(i)] == 'q' || keys[static_cast<std::size_t>(i)] == 'Q') {
            on_end_(cli::ok);
            return false;
        }
    return size > 0;
}

}  // namespace troupe
