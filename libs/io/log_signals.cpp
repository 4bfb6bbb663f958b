#include "io/log_signals.hpp"

#include "io/log.hpp"
#include "io/signals.hpp"
#include "io/unique_fd.hpp"

#include <boost/asio/signal_set.hpp>

#include <csignal>
#include <fcntl.h>

namespace io {

namespace {

void act_on(int number) {
    if (number == SIGHUP) return log::reopen_file();
    log::change_level(number == SIGUSR1 ? log::more_than(log::level()) : log::less_than(log::level()));
}

}  // namespace

Hangup hangup_of(bool is_ignored, bool has_terminal, bool has_log_file) {
    if (has_log_file && (is_ignored || !has_terminal)) return Hangup::reopens;
    return is_ignored ? Hangup::ignored : Hangup::ends;
}

Hangup current_hangup(bool has_log_file) {
    UniqueFd terminal(::open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC));
    return hangup_of(is_ignored(SIGHUP), static_cast<bool>(terminal), has_log_file);
}

struct LogSignals::State : std::enable_shared_from_this<State> {
    explicit State(const boost::asio::any_io_executor& executor) : signals(executor, SIGUSR1, SIGUSR2) {}

    void wait() {
        signals.async_wait([weak = weak_from_this()](boost::system::error_code ec, int number) {
            auto state = weak.lock();
            if (!state || ec) return;
            act_on(number);
            state->wait();
        });
    }

    boost::asio::signal_set signals;
};

LogSignals::LogSignals(const boost::asio::any_io_executor& executor, Hangup hangup)
    : state_(std::make_shared<State>(executor)) {
    if (hangup == Hangup::reopens) state_->signals.add(SIGHUP);
    state_->wait();
}

LogSignals::~LogSignals() = default;

}  // namespace io
