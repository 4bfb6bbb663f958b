#include "live_run/ending_signals.hpp"

#include "io/log.hpp"
#include "io/signals.hpp"
#include "process/child_process.hpp"

#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <csignal>
#include <cstring>
#include <unistd.h>
#include <utility>

namespace live_run {

namespace asio = boost::asio;
namespace log = io::log;

namespace {

// One Ctrl-C may arrive twice: from the terminal, and passed on by a wrapper like `timeout`.
constexpr std::chrono::milliseconds same_signal{100};

}  // namespace

EndingSignals::EndingSignals(const asio::any_io_executor& executor, bool has_log_file)
    : signals_(executor, SIGINT, SIGTERM), hangup_(io::current_hangup(has_log_file)) {
    if (hangup_ != io::Hangup::ignored) signals_.add(SIGHUP);
    io::unblock_ending_signals();
}

EndingSignals::~EndingSignals() {
    io::block_ending_signals();
}

asio::awaitable<void> EndingSignals::watch(std::function<void()> on_first,
                                           std::function<void(int)> before_exit) {
    on_first_ = std::move(on_first);
    before_exit_ = std::move(before_exit);
    return wait();
}

// The next one that ends something.
asio::awaitable<int> EndingSignals::next() {
    while (true) {
        int number = co_await signals_.async_wait(asio::use_awaitable);
        if (number != SIGHUP || hangup_ == io::Hangup::ends) co_return number;
        log::reopen_file();
    }
}

asio::awaitable<void> EndingSignals::wait() {
    io::LogSignals log_signals(signals_.get_executor(), io::Hangup::ignored);
    first_ = co_await next();
    log::warn("got SIG", ::sigabbrev_np(first_),
              ": ending all running commands; send it once more to exit at once");
    on_first_();
    auto first = std::chrono::steady_clock::now();
    int again = first_;
    do {
        again = co_await next();
    } while (std::chrono::steady_clock::now() - first < same_signal);
    process::kill_all_children();
    before_exit_(128 + again);
    log::flush(same_signal);
    ::_exit(128 + again);
}

}  // namespace live_run
