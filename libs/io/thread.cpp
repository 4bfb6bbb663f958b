#include "io/thread.hpp"

#include <csignal>
#include <optional>
#include <system_error>

namespace io {

// A thread inherits the signal mask of its creator.
std::thread thread_without_signals(const std::function<void()>& body) {
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    std::optional<std::system_error> failure;
    std::thread thread;
    try {
        thread = std::thread(body);
    } catch (const std::system_error& error) {
        failure = error;
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (failure) throw *failure;
    return thread;
}

}  // namespace io
