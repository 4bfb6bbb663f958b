// What a guard holds for the guarded process, and what it leaves to other guards.
#include "base/text.hpp"
#include "io/fd_passing.hpp"
#include "left_behind.hpp"
#include "process/family.hpp"
#include "process/guard.hpp"
#include "process/live_groups.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <poll.h>
#include <signal.h>

using namespace std::chrono_literals;
using namespace test;

namespace {

struct Pipe {
    Pipe() {
        int fds[2];
        REQUIRE(::pipe2(fds, O_CLOEXEC) == 0);
        read = io::UniqueFd(fds[0]);
        write = io::UniqueFd(fds[1]);
    }
    io::UniqueFd read;
    io::UniqueFd write;
};

// Whether all write ends are closed, or will be by then.
bool ends_within(const Pipe& pipe, std::chrono::milliseconds limit) {
    pollfd poll{pipe.read.get(), 0, 0};
    return ::poll(&poll, 1, static_cast<int>(limit.count())) == 1;
}

int fork_and(const std::function<void()>& work) {
    int pid = ::fork();
    if (pid != 0) return pid;
    work();
    ::_exit(0);
}

int guard_of(int parent) {
    auto table = process::Table::now();
    for (const process::ProcessInfo& process : table.processes())
        if (process.parent == parent && table.is_guard(process.pid)) return process.pid;
    return -1;
}

}  // namespace

TEST_CASE("a descriptor goes over a channel, or none, and the channel ends with its sender") {
    auto channel = io::make_fd_channel();
    REQUIRE(channel.has_value());
    Pipe pipe;
    CHECK(io::send_fd(channel->sender.get(), pipe.write.get()));
    CHECK(io::send_fd(channel->sender.get(), -1));
    pipe.write.reset();
    channel->sender.reset();
    {
        auto received = io::receive_fd(channel->receiver.get());
        REQUIRE((received && *received));
        CHECK(::fcntl(received->get(), F_GETFD) == FD_CLOEXEC);
        CHECK_FALSE(ends_within(pipe, 0ms));
    }
    CHECK(ends_within(pipe, 0ms));
    auto none = io::receive_fd(channel->receiver.get());
    REQUIRE(none);
    CHECK_FALSE(*none);
    CHECK_FALSE(io::receive_fd(channel->receiver.get()));
}

TEST_CASE("what a guard holds ends when what a killed process left behind is gone") {
    TemporaryDirectory directory;
    Pipe replaced;
    Pipe held;
    int parent = fork_and([&] {
        auto guard = process::Guard::start(mark("held"));
        start_escapee(mark("held"), directory / "pid");
        guard->hold(replaced.write.get());
        guard->hold(held.write.get());
        ::raise(SIGKILL);
    });
    replaced.write.reset();
    held.write.reset();
    CHECK(ends_within(held, patience));
    CHECK_FALSE(is_alive(awaited_pid(directory / "pid")));
    CHECK(ends_within(replaced, 0ms));
    ::waitpid(parent, nullptr, 0);
}

TEST_CASE("a guard lets go of what it held when there is something else, or nothing, to hold") {
    auto guard = process::Guard::start(mark("replaced"));
    REQUIRE(guard.has_value());
    Pipe first;
    Pipe second;
    guard->hold(first.write.get());
    first.write.reset();
    CHECK_FALSE(ends_within(first, 50ms));
    guard->hold(second.write.get());
    second.write.reset();
    CHECK(ends_within(first, patience));
    guard->hold(-1);
    CHECK(ends_within(second, patience));
}

TEST_CASE("a guard lets go of a socket whose peer has gone, and waits on") {
    auto guard = process::Guard::start(mark("peer"));
    REQUIRE(guard.has_value());
    int fds[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0);
    io::UniqueFd peer(fds[1]);
    guard->hold(fds[0]);
    ::close(fds[0]);
    peer.reset();
    Pipe pipe;
    guard->hold(pipe.write.get());
    pipe.write.reset();
    CHECK_FALSE(ends_within(pipe, 50ms));
    guard->hold(-1);
    CHECK(ends_within(pipe, patience));
}

TEST_CASE("a guard that is stopped or dead does its process no harm") {
    auto before = ::signal(SIGPIPE, SIG_DFL);
    for (int signal : {SIGSTOP, SIGKILL}) {
        auto guard = process::Guard::start(mark("harmed"));
        REQUIRE(guard.has_value());
        int pid = guard_of(::getpid());
        REQUIRE(pid > 0);
        ::kill(pid, signal);
        auto end = std::chrono::steady_clock::now() + patience;
        while (state(pid) != (signal == SIGSTOP ? "T" : "Z") && std::chrono::steady_clock::now() < end)
            ::usleep(1000);
        Pipe pipe;
        for (int i = 0; i < 3000; ++i)
            guard->hold(pipe.write.get());
    }
    ::signal(SIGPIPE, before);
}

namespace {

constexpr const char* nested_directory = "BARNUM_IO_NESTED";  // set for the program that is started again

// This program again, in `directory` and with `environment` from the start, to run only the next test case.
int start_nested(const TemporaryDirectory& directory, process::Environment environment) {
    environment.emplace_back(nested_directory, directory.path());
    auto program = std::filesystem::read_symlink("/proc/self/exe").string();
    auto shell = process::spawn_shell(
        {"exec '" + program + "' 'a guarded process for other tests'", directory.path(), environment, ""});
    REQUIRE(shell.has_value());
    return shell->pid;
}

}  // namespace

TEST_CASE("a guarded process for other tests") {
    const char* directory = std::getenv(nested_directory);
    if (directory == nullptr) return;
    auto guard = process::Guard::start(mark("inner"));
    constexpr std::string_view script =
        "while [ ! -e listed ]; do sleep 0.01; done; echo $$ > new; mv new pid; exec sleep 1000";
    auto shell =
        process::spawn_shell({base::concat("exec env -i /bin/sh -c '", script, "'"), directory, {}, ""});
    if (shell) process::add_live_group({shell->pid, false});
    std::ofstream listed(base::concat(directory, "/listed"));
    ::pause();
}

TEST_CASE("a guard that has the marks of another's charges is left to its work") {
    TemporaryDirectory directory;
    process::Environment outer = mark("outer");
    int parent = start_nested(directory, outer);
    int pid = awaited_pid(directory / "pid");
    int guard = guard_of(parent);
    REQUIRE(guard > 0);
    ::kill(guard, SIGSTOP);  // so that it has not done its work before the other looks
    ::kill(parent, SIGKILL);
    ::waitpid(parent, nullptr, 0);
    CHECK(process::Family({}, outer).kill() == 0);
    CHECK(is_alive(pid));
    ::kill(guard, SIGCONT);
    CHECK(is_gone_within(pid, patience));
}
