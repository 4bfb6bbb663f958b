#include "io/process_guard.hpp"

#include "io/spawn.hpp"
#include "io_helper.hpp"

#include <fstream>
#include <signal.h>
#include <sys/wait.h>

using namespace std::chrono_literals;

namespace {

// Each test's own: a guard goes on looking for its mark for a little while.
io::Environment mark(const std::string& value) {
    static const std::string process = std::to_string(::getpid());
    return {{"BARNUM_IO_MARK", value + process}};
}

// A marked process that has left its group, as a child of this one; its parent has to reap it.
int start_escapee(const io::Environment& environment, const std::string& file) {
    auto shell = io::spawn_shell("exec setsid -f sh -c 'echo $$ > " + file + ".new; mv " + file + ".new " +
                                     file + "; exec sleep 1000'",
                                 "/", environment);
    REQUIRE(shell.has_value());
    ::waitpid(shell->pid, nullptr, 0);
    auto end = std::chrono::steady_clock::now() + 10s;
    while (!std::filesystem::exists(file) && std::chrono::steady_clock::now() < end)
        ::usleep(1000);
    int pid = 0;
    std::ifstream(file) >> pid;
    REQUIRE(pid > 0);
    return pid;
}

bool is_alive(int pid) {
    std::ifstream status("/proc/" + std::to_string(pid) + "/stat");
    std::string skipped;
    std::string state;
    status >> skipped >> skipped >> state;
    return status && state != "Z";
}

bool is_gone_within(int pid, std::chrono::seconds limit) {
    auto end = std::chrono::steady_clock::now() + limit;
    while (is_alive(pid) && std::chrono::steady_clock::now() < end)
        ::usleep(1000);
    return !is_alive(pid);
}

// In passes, as a process that is just becoming another program has no environment for a moment.
bool ends_by_mark(const io::Environment& environment, int pid) {
    auto end = std::chrono::steady_clock::now() + 5s;
    while (is_alive(pid) && std::chrono::steady_clock::now() < end)
        io::kill_marked_processes(environment);
    return !is_alive(pid);
}

}  // namespace

TEST_CASE("marked processes are found whatever their session, and only those with every mark") {
    test::TemporaryDirectory directory;
    io::Environment both = mark("a");
    both.emplace_back("BARNUM_IO_OTHER", "b");
    int pid = start_escapee(both, directory / "pid");
    CHECK(io::kill_marked_processes({}) == 0);
    CHECK(io::kill_marked_processes(mark("")) == 0);
    CHECK(io::kill_marked_processes({mark("a").front(), {"BARNUM_IO_OTHER", "c"}}) == 0);
    CHECK(io::kill_marked_processes({{"IO_MARK", mark("a").front().second}}) == 0);
    CHECK(is_alive(pid));
    CHECK(ends_by_mark(both, pid));
    CHECK(io::kill_marked_processes(both) == 0);
}

TEST_CASE("a guard kills what a killed process leaves behind") {
    test::TemporaryDirectory directory;
    io::Environment killed = mark("killed");
    int parent = ::fork();
    if (parent == 0) {
        auto guard = io::ProcessGuard::start(killed);
        start_escapee(killed, directory / "pid");
        ::raise(SIGKILL);
    }
    ::waitpid(parent, nullptr, 0);
    int pid = 0;
    std::ifstream(directory / "pid") >> pid;
    REQUIRE(pid > 0);
    CHECK(is_gone_within(pid, 10s));
}

TEST_CASE("a guard that is let go kills nobody") {
    test::TemporaryDirectory directory;
    int pid = 0;
    {
        auto guard = io::ProcessGuard::start(mark("in order"));
        REQUIRE(guard.has_value());
        pid = start_escapee(mark("in order"), directory / "pid");
    }
    CHECK(is_alive(pid));
    CHECK(ends_by_mark(mark("in order"), pid));
}
