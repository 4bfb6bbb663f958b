// When run_child() returns, what it has killed is gone, however long that takes.
#include "io_helper.hpp"
#include "left_behind.hpp"
#include "process/child_process.hpp"
#include "warnings.hpp"

#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <sys/ptrace.h>

using namespace std::chrono_literals;
using process::ChildResult;
using process::ChildSpec;

namespace {

// A process that takes long to end: it is held, by a debugger's means, at the point where it is killed but
// still there. Only a child's descendants may be held so.
class SlowEnd {
  public:
    explicit SlowEnd(int pid) : pid_(pid) {
        REQUIRE(::ptrace(PTRACE_SEIZE, pid, nullptr, PTRACE_O_TRACEEXIT | PTRACE_O_EXITKILL) == 0);
    }

    // Lets it end so many turns of the loop after it was killed, or when run_child() has returned.
    test::asio::awaitable<void> let_end(int turns, const bool* has_returned) {
        test::asio::steady_timer timer(co_await test::asio::this_coro::executor);
        int status = 0;
        for (int turn = 0; turn < turns && !*has_returned;) {
            if (::waitpid(pid_, &status, WNOHANG) == pid_) was_held_ = status >> 8 == exit_stop;
            if (was_held_) ++turn;
            timer.expires_after(10ms);
            co_await timer.async_wait(test::asio::use_awaitable);
        }
        REQUIRE(test::is_alive(pid_));
        ::ptrace(PTRACE_CONT, pid_, nullptr, nullptr);
        ::waitpid(pid_, &status, 0);  // as its tracer; its parent reaps it after that
    }

  private:
    static constexpr int exit_stop = SIGTRAP | (PTRACE_EVENT_EXIT << 8);
    int pid_;
    bool was_held_ = false;
};

struct Ending {
    ChildResult result;
    int pid = 0;             // of the process that ends slowly
    bool was_alive = false;  // it, when run_child() returned
    bool has_returned = false;
};

test::asio::awaitable<void> run_to_ending(ChildSpec spec, Ending* ending) {
    ending->result = co_await process::run_child(std::move(spec));
    ending->was_alive = test::is_alive(ending->pid);
    ending->has_returned = true;
}

test::asio::awaitable<void> await_pid(std::string file, int* pid) {
    test::asio::steady_timer timer(co_await test::asio::this_coro::executor);
    while (test::content(file).empty()) {
        timer.expires_after(1ms);
        co_await timer.async_wait(test::asio::use_awaitable);
    }
    *pid = std::stoi(test::content(file));
}

// The script writes the pid of the process that ends slowly to the file `pid`. If it is not stopped, it waits
// for the file `go`.
Ending ending_of(const std::string& script, bool is_stopped, int turns) {
    test::TemporaryDirectory directory;
    test::asio::io_context loop(1);
    ChildSpec spec;
    spec.script = script;
    spec.directory = directory.path();
    spec.stop = std::make_shared<process::ChildStop>();
    spec.environment = test::mark("slow end");
    auto stop = spec.stop;
    Ending ending;
    test::asio::co_spawn(loop, run_to_ending(std::move(spec), &ending), test::asio::detached);
    test::run(loop, await_pid(directory / "pid", &ending.pid));
    SlowEnd slow(ending.pid);
    if (is_stopped) stop->request();
    test::write(directory / "go", "");
    test::run(loop, slow.let_end(turns, &ending.has_returned));
    auto end = std::chrono::steady_clock::now() + test::patience;
    while (!ending.has_returned && std::chrono::steady_clock::now() < end)
        loop.run_one_for(100ms);
    REQUIRE(ending.has_returned);
    return ending;
}

const std::string leaves_group =
    "setsid sh -c 'trap \"\" TERM; echo $$ >pid.new; mv pid.new pid; exec sleep 1000' >/dev/null 2>&1 & wait";
const std::string stays_in_group =
    "sleep 1000 >/dev/null 2>&1 & echo $! >pid.new; mv pid.new pid; "
    "until [ -e go ]; do sleep 0.01; done";
constexpr int some_turns = 20;
constexpr int endless = 1'000'000;

}  // namespace

TEST_CASE("a child that is stopped is answered when a process that has left its group is gone") {
    auto ending = ending_of(leaves_group, true, some_turns);
    CHECK(ending.result.end == ChildResult::End::cancelled);
    CHECK_FALSE(ending.was_alive);
}

TEST_CASE("a child that has ended by itself is answered when the processes of its group are gone") {
    auto ending = ending_of(stays_in_group, false, some_turns);
    CHECK(ending.result.succeeded());
    CHECK_FALSE(ending.was_alive);
}

TEST_CASE("a killed process that does not end is not waited for without end, and a warning names it") {
    test::Warnings warnings;
    auto ending = ending_of(leaves_group, true, endless);
    CHECK(ending.result.end == ChildResult::End::cancelled);
    CHECK(ending.was_alive);
    REQUIRE(warnings.texts.size() == 1);
    CHECK_THAT(warnings.texts[0],
               Catch::Contains("process " + std::to_string(ending.pid) + " was killed but has not ended"));
}
