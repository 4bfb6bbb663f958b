#include "screen/full_screen.hpp"

#include "io/internal_error.hpp"
#include "screen/suspend.hpp"
#include "terminal/color.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace screen {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::milliseconds last_wait{1000};

// The terminal opened once more: reading without waiting is a property of the open file, and stdin is the
// shell's, too.
int open_keys() {
    return ::open("/dev/tty", O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
}

}  // namespace

bool is_possible() {
    return terminal::is_terminal(STDOUT_FILENO) && !terminal::is_dumb(terminal::Environment::current());
}

FullScreen::FullScreen(asio::io_context& loop, std::function<void(int)> on_end)
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
    io::set_last_words({[this] { close(); }, {}});
}

FullScreen::~FullScreen() {
    io::set_last_words({});
    leave();
}

void FullScreen::enter() {
    screen_.put(terminal::enter_full_screen());
    is_shown_ = true;
}

void FullScreen::leave() {
    if (!std::exchange(is_shown_, false)) return;
    screen_.put(terminal::leave_full_screen());
    screen_.flush(last_wait);
}

void FullScreen::show(Lines lines) {
    lines_ = std::move(lines);
    draw();
}

void FullScreen::close() {
    signals_.cancel();
    boost::system::error_code ignored;
    unseen_.reset();
    keys_.close(ignored);
    leave();
}

void FullScreen::draw() {
    if (!is_shown_ || !lines_ || screen_.is_backed_up()) return;
    terminal::Size size = terminal::size_of(STDOUT_FILENO);
    terminal::Size usable = size;
    --usable.columns;  // the last one stays free
    screen_.put(terminal::full_screen_frame(lines_(usable, colored_), size));
    if (screen_.is_gone()) on_end_(EXIT_FAILURE);
}

// Whoever looks at the shell meanwhile has the terminal as it was.
void FullScreen::suspend() {
    leave();
    unseen_.reset();
    suspend_process(signals_);
    if (keys_.is_open()) unseen_.emplace(keys_.native_handle());
    enter();
    draw();
}

void FullScreen::wait_for_signal() {
    signals_.async_wait([this, alive = std::weak_ptr(alive_)](boost::system::error_code ec, int number) {
        if (ec || alive.expired()) return;
        wait_for_signal();
        if (number == SIGWINCH) return draw();
        if (number == SIGTSTP) return suspend();
        on_end_(number == SIGINT ? EXIT_SUCCESS : 128 + number);
    });
}

void FullScreen::wait_for_keys() {
    keys_.async_wait(asio::posix::stream_descriptor::wait_read,
                     [this, alive = std::weak_ptr(alive_)](boost::system::error_code ec) {
                         if (ec || alive.expired() || !keys_.is_open()) return;
                         if (read_keys()) wait_for_keys();
                     });
}

// False when there will be no more.
bool FullScreen::read_keys() {
    std::array<char, 64> keys;
    ssize_t size = ::read(keys_.native_handle(), keys.data(), keys.size());
    if (size < 0) return errno == EAGAIN || errno == EINTR;
    for (ssize_t i = 0; i < size; ++i)
        if (keys[static_cast<std::size_t>(i)] == 'q' || keys[static_cast<std::size_t>(i)] == 'Q') {
            on_end_(EXIT_SUCCESS);
            return false;
        }
    return size > 0;
}

}  // namespace screen
