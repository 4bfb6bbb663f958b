#include "displays/terminal_progress.hpp"

#include "displays/log_colors.hpp"
#include "displays/plain_progress.hpp"
#include "screen/suspend.hpp"
#include "terminal/size.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <csignal>
#include <unistd.h>
#include <utility>

namespace displays {

namespace asio = boost::asio;
namespace log = io::log;

namespace {

constexpr std::chrono::milliseconds least_pause{100};
constexpr std::chrono::seconds tick{1};

// In the background the terminal is somebody else's. Whether one that isn't ours to control is in the
// foreground, nobody knows.
bool is_in_foreground(int fd) {
    pid_t group = ::tcgetpgrp(fd);
    return group < 0 || group == ::getpgrp();
}

struct CancelledAtEnd {
    asio::signal_set& signals;
    ~CancelledAtEnd() {
        boost::system::error_code ignored;
        signals.cancel(ignored);
    }
};

}  // namespace

TerminalProgress::TerminalProgress(const asio::any_io_executor& executor, bool colored, WatchedRun run)
    : Progress(std::move(run)),
      colored_(colored),
      timer_(executor),
      signals_(executor, SIGWINCH, SIGTSTP, SIGCONT) {
    log::set_presenter([this](const log::Line& line) { return present(line); });
}

TerminalProgress::~TerminalProgress() {
    abandon();
}

void TerminalProgress::abandon() {
    if (!block_.is_empty()) log::put_on_stderr(block_.finish());
    present_log(colored_);
}

asio::awaitable<void> TerminalProgress::show() {
    CancelledAtEnd watch{signals_};
    watch_terminal();
    while (true) {
        has_changed_ = false;
        draw();
        timer_.expires_after(least_pause);
        co_await timer_.async_wait(asio::use_awaitable);
        if (has_changed_ || log::is_backed_up()) continue;  // what waits goes out, and the table behind it
        timer_.expires_after(tick - least_pause);
        sleeps_ = true;
        boost::system::error_code woken;
        co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
        sleeps_ = false;
        auto cancellation = co_await asio::this_coro::cancellation_state;
        if (cancellation.cancelled() != asio::cancellation_type::none) co_return;
    }
}

void TerminalProgress::changed() {
    has_changed_ = true;
    if (std::exchange(sleeps_, false)) timer_.cancel();
}

// After a stop, a shell has written below the table: the next one stands below that. SIGSTOP cannot be
// noticed before.
void TerminalProgress::watch_terminal() {
    signals_.async_wait([this, alive = std::weak_ptr(alive_)](boost::system::error_code error, int signal) {
        if (error || alive.expired()) return;
        if (signal == SIGTSTP) suspend();
        if (signal == SIGCONT) static_cast<void>(block_.finish());
        changed();
        watch_terminal();
    });
}

// Leaves the table before the stop: later, it could be drawn once more before SIGCONT is noticed.
void TerminalProgress::suspend() {
    log::put_on_stderr(block_.finish());
    signals_.remove(SIGCONT);
    screen::suspend_process(signals_);
    signals_.add(SIGCONT);
}

void TerminalProgress::draw() {
    if (!has_begun() || log::is_backed_up() || !is_in_foreground(STDERR_FILENO)) return;
    auto size = terminal::size_of(STDERR_FILENO);
    auto lines = progress::table(model(), run().agents(), spending(), now(), {size, colored_});
    log::put_on_stderr(block_.redraw(std::move(lines), size));
}

std::string TerminalProgress::present(const log::Line& line) {
    if (line.is_state_change && !log::enabled(log::Level::debug)) return "";
    std::string text = colored_ ? with_colors(line) : std::string(line.formatted);
    auto size = terminal::size_of(STDERR_FILENO);
    // Lines that wait for the terminal stay few bytes without the table, which is drawn again behind them.
    return log::is_backed_up() ? block_.replace(text, size) : block_.above(text, size);
}

void TerminalProgress::conclude(const runner::Outcome&) {
    auto size = terminal::size_of(STDERR_FILENO);
    std::string text;
    for (const std::string& line : progress::final_table(model(), now(), {size, colored_}))
        text += line + "\n";
    log::put_on_stderr(block_.replace(text, size));
}

}  // namespace displays
