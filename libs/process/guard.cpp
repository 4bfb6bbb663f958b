#include "process/guard.hpp"

#include "base/text.hpp"
#include "io/fd_passing.hpp"
#include "io/log.hpp"
#include "process/family.hpp"
#include "process/live_groups.hpp"
#include "process/orphans.hpp"
#include "process/table.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace process {

namespace asio = boost::asio;

namespace {

constexpr int empty_passes = 5;    // in a row, before it is assumed that no process is left
constexpr int quick_passes = 100;  // within 2 s; a process that still lives then is blocked in the kernel
constexpr timespec quick_pass{0, 20'000'000};
constexpr timespec slow_pass{0, 500'000'000};
constexpr int exit_checks = 100;  // 1 ms each

struct Pipe {
    io::UniqueFd read;
    io::UniqueFd write;
};

base::Result<Pipe> make_pipe() {
    int fds[2];
    if (::pipe2(fds, O_CLOEXEC) != 0) return base::system_error("cannot make a pipe");
    return Pipe{io::UniqueFd(fds[0]), io::UniqueFd(fds[1])};
}

// Waits until the other end is closed; nothing is ever written.
void read_to_end(int pipe) {
    char nothing = 0;
    while (::read(pipe, &nothing, 1) < 0 && errno == EINTR) {
    }
}

// Waits until all senders are closed, and returns the last descriptor that was sent. A socket whose peer is
// gone is closed at once, because the peer cannot notice any more.
io::UniqueFd wait_for_end(int receiver) {
    io::UniqueFd held;
    while (true) {
        pollfd polls[] = {{receiver, POLLIN, 0}, {held.get(), 0, 0}};  // poll ignores a negative descriptor
        if (::poll(polls, 2, -1) < 0) continue;
        if (polls[1].revents != 0) held.reset();
        if (polls[0].revents == 0) continue;
        auto next = io::receive_fd(receiver);
        if (!next) return held;
        held = std::move(*next);
    }
}

// Closes close-on-exec descriptors as well, because this process never executes another program.
void close_all_but(std::vector<int> kept) {
    std::sort(kept.begin(), kept.end());
    unsigned first = STDERR_FILENO + 1;
    for (int fd : kept) {
        auto number = static_cast<unsigned>(fd);
        if (number > first) ::close_range(first, number - 1, 0);
        first = std::max(first, number + 1);
    }
    ::close_range(first, ~0U, 0);
}

// Leaves the terminal's session and closes everything else: a reader of the guarded process's output must not
// have to wait for the guard.
void detach(const std::vector<int>& kept) {
    ::setsid();
    ::prctl(PR_SET_NAME, guard_name);
    for (int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1, SIGUSR2})
        ::signal(number, SIG_IGN);
    int null = ::open("/dev/null", O_RDWR);
    for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        ::dup2(null, fd);
    close_all_but(kept);
}

// The socket is closed a moment before the process is gone. When it goes, the kernel continues stopped
// processes in the groups of its children; so nothing is stopped before.
void wait_until_gone(int parent) {
    constexpr timespec pause{0, 1'000'000};
    for (int check = 0; ::getppid() == parent && check < exit_checks; ++check)
        ::nanosleep(&pause, nullptr);
}

std::vector<int> groups_that(bool may_leave) {
    std::vector<int> groups;
    for (LiveGroup group : live_groups())
        if (group.may_leave == may_leave) groups.push_back(group.id);
    return groups;
}

// The processes that were running when the guarded process ended.
class Leftovers {
  public:
    explicit Leftovers(const Environment& variables)
        : groups_(groups_that(true)), family_(groups_that(false), variables) {
        for (int group : groups_)
            ::kill(-group, SIGKILL);
        for (int group : groups_that(false))
            groups_.push_back(group);
    }

    // Returns how many were left; they end soon.
    std::size_t kill() {
        std::size_t left = family_.kill();
        auto table = Table::now();
        std::erase_if(groups_, [&](int group) { return !table.member_of(group); });
        return left + groups_.size();
    }

  private:
    std::vector<int> groups_;
    Family family_;  // without processes that have left a group that may be left
};

[[noreturn]] void guard(int parent, int receiver, std::vector<int> kept, const Environment& variables,
                        const std::vector<std::string>& files) {
    receiver = ::fcntl(receiver, F_DUPFD,
                       STDERR_FILENO + 1);  // stderr may have been closed, so that its number would be used
    kept.push_back(receiver);
    detach(kept);
    io::UniqueFd held = wait_for_end(receiver);
    wait_until_gone(parent);
    Leftovers leftovers(variables);
    int empty = 0;
    for (int pass = 0; empty < empty_passes; pass = std::min(pass + 1, quick_passes)) {
        empty = leftovers.kill() == 0 ? empty + 1 : 0;
        ::nanosleep(pass < quick_passes ? &quick_pass : &slow_pass, nullptr);
    }
    std::error_code ignored;
    for (const std::string& file : files)
        std::filesystem::remove_all(file, ignored);
    ::_exit(0);
}

// The warning comes once, before anything is started that could escape.
void warn_without_processes() {
    if (process_ids().empty())
        io::log::warn(
            "/proc does not show the processes: what leaves the group of its command, by setsid for example, "
            "is not found, and goes on when the command is ended, after a timeout or a kill; mount /proc");
}

}  // namespace

base::Result<Guard> Guard::start(const Environment& variables, const std::vector<int>& keep_fds,
                                 const std::vector<std::string>& leftovers) {
    warn_without_processes();
    if (auto shared = share_live_groups(); !shared) return shared.error();
    auto life = io::make_fd_channel();
    if (!life) return life.error();
    auto ready = make_pipe();
    if (!ready) return ready.error();
    int parent = ::getpid();
    int pid = ::fork();
    if (pid < 0) return base::system_error("cannot start the process guard");
    if (pid == 0) {
        life->sender.reset();
        guard(parent, life->receiver.get(), keep_fds, variables, leftovers);
    }
    add_own_child(pid);
    ready->write.reset();
    read_to_end(ready->read.get());  // the guard closes its end when it has left the terminal's session
    return Guard(pid, std::move(life->sender));
}

Guard::Guard(Guard&& other) noexcept : pid_(std::exchange(other.pid_, -1)), alive_(std::move(other.alive_)) {}

void Guard::hold(int fd) {
    (void)io::send_fd(alive_.get(), fd);
}

asio::awaitable<void> Guard::watch() {
    if (pid_ < 0) co_return;
    asio::posix::stream_descriptor ended(co_await asio::this_coro::executor);
    io::UniqueFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
    if (!pidfd) co_return;
    ended.assign(pidfd.release());
    co_await ended.async_wait(asio::posix::stream_descriptor::wait_read, asio::use_awaitable);
    io::log::warn("the process guard (pid ", pid_,
                  ") was killed: if this process is killed as well, its commands will keep running");
    reap();
}

Guard::~Guard() {
    if (pid_ < 0) return;
    // The guard must end before the socket is closed, on which it would start to kill. SIGKILL also ends a
    // stopped guard.
    ::kill(pid_, SIGKILL);
    reap();
}

void Guard::reap() {
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
    remove_own_child(pid_);
    pid_ = -1;
}

}  // namespace process
