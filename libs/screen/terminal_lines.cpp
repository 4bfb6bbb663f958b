#include "screen/terminal_lines.hpp"

#include "io/signals.hpp"

#include <cerrno>
#include <cstddef>
#include <poll.h>
#include <unistd.h>

namespace screen {

namespace {

volatile std::sig_atomic_t got_signal = 0;

void note_signal(int number) {
    got_signal = number;
}

// Delays the ending signals, so that none comes between a look at got_signal and the wait for input.
class DelayedSignals {
  public:
    DelayedSignals() {
        sigset_t delayed;
        ::sigemptyset(&delayed);
        for (int number : {SIGINT, SIGTERM, SIGHUP})
            ::sigaddset(&delayed, number);
        ::pthread_sigmask(SIG_BLOCK, &delayed, &before_);
    }
    ~DelayedSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    DelayedSignals(const DelayedSignals&) = delete;
    DelayedSignals& operator=(const DelayedSignals&) = delete;

    const sigset_t& before() const { return before_; }

  private:
    sigset_t before_{};
};

}  // namespace

TerminalLines::TerminalLines() {
    got_signal = 0;
    struct sigaction noting {};
    noting.sa_handler = note_signal;
    for (std::size_t i = 0; i < ending.size(); ++i) {
        bool stays = ending[i] == SIGHUP && io::is_ignored(SIGHUP);
        ::sigaction(ending[i], stays ? nullptr : &noting, &before_[i]);
    }
}

TerminalLines::~TerminalLines() {
    for (std::size_t i = 0; i < ending.size(); ++i)
        ::sigaction(ending[i], &before_[i], nullptr);
}

int TerminalLines::signal_number() const {
    return got_signal;
}

std::optional<std::string> TerminalLines::read() {
    std::size_t end = 0;
    while ((end = typed_.find('\n')) == std::string::npos)
        if (!read_more()) return std::nullopt;
    std::string line = typed_.substr(0, end);
    typed_.erase(0, end + 1);
    return line;
}

bool TerminalLines::read_more() {
    DelayedSignals delayed;
    while (got_signal == 0) {
        pollfd input{STDIN_FILENO, POLLIN, 0};
        int count = ::ppoll(&input, 1, nullptr, &delayed.before());
        if (count < 0 && errno == EINTR) continue;
        std::array<char, 4096> buffer;
        ssize_t size = count < 0 ? -1 : ::read(STDIN_FILENO, buffer.data(), buffer.size());
        if (size <= 0) return false;
        typed_.append(buffer.data(), static_cast<std::size_t>(size));
        return true;
    }
    return false;
}

}  // namespace screen
