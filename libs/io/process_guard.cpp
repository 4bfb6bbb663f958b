#include "io/process_guard.hpp"

#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

namespace io {

namespace {

constexpr int most_passes = 90;  // of 20 ms: under 2 s
constexpr int empty_passes = 5;  // in a row, before it is believed that nothing is left
constexpr timespec pass_time{0, 20'000'000};

// Another guard's search for these variables, with its own values, must not find this one, which has its own
// processes to see to.
void forget(const Environment& variables) {
    for (const auto& [name, value] : variables)
        if (char* inherited = std::getenv(name.c_str())) std::memset(inherited, 0, std::strlen(inherited));
}

// Out of the terminal's reach, with nothing open but the pipe: whoever reads our parent's output must not
// wait for us.
void detach(int alive, const Environment& variables) {
    ::setsid();
    ::prctl(PR_SET_NAME, "barnum-guard");
    for (int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE})
        ::signal(number, SIG_IGN);
    int null = ::open("/dev/null", O_RDWR);
    for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        ::dup2(null, fd);
    ::dup2(alive, STDERR_FILENO + 1);
    ::close_range(STDERR_FILENO + 2, ~0U, 0);
    forget(variables);
}

[[noreturn]] void guard(int pipe, const Environment& variables) {
    detach(pipe, variables);
    char nothing = 0;
    while (::read(STDERR_FILENO + 1, &nothing, 1) < 0 && errno == EINTR) {
    }
    int empty = 0;
    for (int pass = 0; pass < most_passes && empty < empty_passes; ++pass) {
        empty = kill_marked_processes(variables) == 0 ? empty + 1 : 0;
        ::nanosleep(&pass_time, nullptr);
    }
    ::_exit(0);
}

}  // namespace

base::Result<ProcessGuard> ProcessGuard::start(const Environment& variables) {
    int fds[2];
    if (::pipe2(fds, O_CLOEXEC) != 0) return base::system_error("cannot make a pipe");
    UniqueFd watched(fds[0]);
    UniqueFd alive(fds[1]);
    int pid = ::fork();
    if (pid < 0) return base::system_error("cannot start the process guard");
    if (pid == 0) {
        alive.reset();
        guard(watched.get(), variables);
    }
    return ProcessGuard(pid, std::move(alive));
}

ProcessGuard::ProcessGuard(ProcessGuard&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), alive_(std::move(other.alive_)) {}

ProcessGuard::~ProcessGuard() {
    if (pid_ < 0) return;
    // Before the pipe is closed, which would set it to work. It may also have been stopped.
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

}  // namespace io
