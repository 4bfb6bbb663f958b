#include "io/signals.hpp"

#include <csignal>
#include <initializer_list>

namespace io {

namespace {

sigset_t ending_signals() {
    sigset_t signals;
    ::sigemptyset(&signals);
    for (int signal : {SIGINT, SIGTERM, SIGHUP})
        ::sigaddset(&signals, signal);
    return signals;
}

}  // namespace

void ignore_unwanted_signals() {
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGIO, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

void block_ending_signals() {
    sigset_t signals = ending_signals();
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

void unblock_ending_signals() {
    sigset_t signals = ending_signals();
    ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

bool is_ignored(int signal) {
    struct sigaction action {};
    return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace io
