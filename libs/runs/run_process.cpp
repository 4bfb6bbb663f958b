#include "runs/run_process.hpp"

#include "runs/run_directories.hpp"

#include <cerrno>
#include <csignal>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace runs {

// The pidfd is opened before the check, so that it cannot be that of a later process with the same pid.
std::optional<RunProcess> RunProcess::open(const ProcessIdentity& process) {
    if (process.pid <= 0) return std::nullopt;
    io::UniqueFd fd(static_cast<int>(::syscall(SYS_pidfd_open, process.pid, 0)));
    if (!fd || !is_alive(process)) return std::nullopt;
    return RunProcess(std::move(fd));
}

base::Result<void> RunProcess::signal(int number) const {
    if (::syscall(SYS_pidfd_send_signal, fd_.get(), number, nullptr, 0) == 0 || errno == ESRCH) return {};
    return base::system_error("cannot send a signal to the run");
}

base::Result<void> RunProcess::signal_and_continue(int number) const {
    auto sent = signal(number);
    return sent ? signal(SIGCONT) : sent;
}

bool RunProcess::wait(std::optional<std::chrono::milliseconds> longest) const {
    pollfd poll{fd_.get(), POLLIN, 0};
    int timeout = longest ? static_cast<int>(longest->count()) : -1;
    int ready = 0;
    do
        ready = ::poll(&poll, 1, timeout);
    while (ready < 0 && errno == EINTR);
    return ready > 0;
}

}  // namespace runs
