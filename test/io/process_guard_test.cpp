#include "io/process_guard.hpp"

#include "io/spawn.hpp"
#include "io_helper.hpp"

#include <fstream>
#include <signal.h>
#include <sys/wait.h>

using namespace std::chrono_literals;

namespace {

io::Environment mark(const std::string& value) {
    return {{"BARNUM_IO_MARK", value}};
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

}  // namespace

TEST_CASE("marked processes are found whatever their session, and only those with every mark") {
    test::TemporaryDirectory directory;
    io::Environment both = mark("a");
    both.emplace_back("BARNUM_IO_OTHER", "b");
    int pid = start_escapee(both, directory / "pid");
    CHECK(io::kill_marked_processes({}) == 0);
    CHECK(io::kill_marked_processes(mark("")) == 0);
    CHECK(io::kill_marked_processes({{"BARNUM_IO_MARK", "a"}, {"BARNUM_IO_OTHER", "c"}}) == 0);
    CHECK(io::kill_marked_processes({{"IO_MARK", "a"}}) == 0);
    CHECK(is_alive(pid));
    CHECK(io::kill_marked_processes(both) == 1);
    CHECK(is_gone_within(pid, 5s));
}

TEST_CASE("a guard kills what a killed process leaves behind") {
    test::TemporaryDirectory directory;
    int parent = ::fork();
    if (parent == 0) {
        auto guard = io::ProcessGuard::start(mark("killed"));
        start_escapee(mark("killed"), directory / "pid");
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
    CHECK(io::kill_marked_processes(mark("in order")) == 1);
}
