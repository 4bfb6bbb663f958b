#include "wake.hpp"

#include "base/text.hpp"
#include "io/unique_fd.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace barnum {

namespace asio = boost::asio;

namespace {

// No pipe to a script that may leave agents behind: they would lose their stderr with this process.
base::Result<pid_t> spawn(const std::string& script) {
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t all;
    sigfillset(&all);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    const char* arguments[] = {"sh", "-c", script.c_str(), nullptr};
    pid_t pid = -1;
    int failed =
        ::posix_spawn(&pid, "/bin/sh", &files, &attributes, const_cast<char* const*>(arguments), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (failed != 0) return base::system_error("cannot run the --wake script", failed);
    return pid;
}

base::Result<void> reap(pid_t pid) {
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) return base::system_error("cannot wait for the --wake script");
    if (WIFSIGNALED(status))
        return base::invalid(base::concat("the --wake script was killed by signal ", WTERMSIG(status)));
    if (int code = WEXITSTATUS(status); code != 0)
        return base::invalid(
            base::concat("the --wake script exited with code ", code, "; what it had to say is on stderr"));
    return {};
}

}  // namespace

asio::awaitable<base::Result<void>> run_wake(std::string script) {
    auto pid = spawn(script);
    if (!pid) co_return pid.error();
    io::UniqueFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, *pid, 0)));
    if (!pidfd) co_return base::system_error("cannot wait for the --wake script");
    asio::posix::stream_descriptor ended(co_await asio::this_coro::executor, pidfd.release());
    boost::system::error_code failed;
    co_await ended.async_wait(asio::posix::stream_descriptor::wait_read,
                              asio::redirect_error(asio::use_awaitable, failed));
    if (failed) {
        ::kill(-*pid, SIGTERM);
        throw boost::system::system_error(failed);
    }
    co_return reap(*pid);
}

}  // namespace barnum
