#include "process/orphans.hpp"

#include "io/task_group.hpp"
#include "io_helper.hpp"
#include "process/child_process.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <cerrno>
#include <csignal>
#include <sys/prctl.h>
#include <sys/wait.h>

using namespace std::chrono_literals;

namespace {

constexpr const char* orphans = "for n in 1 2 3 4 5; do (setsid sleep 0.02 &); done; exit 3";

// Whether this process has no child any more, alive or dead.
bool has_no_child() {
    siginfo_t found{};
    return ::waitid(P_ALL, 0, &found, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD;
}

test::asio::awaitable<void> leave_orphans(int* code) {
    auto executor = co_await test::asio::this_coro::executor;
    io::TaskGroup background(executor, [](const std::string&, std::exception_ptr) { FAIL("an exception"); });
    background.spawn("orphans", process::reap_orphans());
    process::ChildSpec spec;
    spec.script = orphans;
    spec.directory = "/";
    process::ChildResult result = co_await process::run_child(std::move(spec));
    *code = result.code;
    test::asio::steady_timer timer(executor);
    while (!has_no_child()) {
        timer.expires_after(1ms);
        co_await timer.async_wait(test::asio::use_awaitable);
    }
    background.cancel();
    co_await background.join();
}

}  // namespace

TEST_CASE("a subreaper reaps the orphans that it gets, and its own children tell how they ended") {
    REQUIRE(::prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);
    test::asio::io_context loop(1);
    int code = 0;
    test::run(loop, leave_orphans(&code));
    ::prctl(PR_SET_CHILD_SUBREAPER, 0);
    std::signal(SIGCHLD, SIG_DFL);
    CHECK(code == 3);
}

TEST_CASE("a process that gets no orphans does not wait for any") {
    test::asio::io_context loop(1);
    test::run(loop, process::reap_orphans());
    CHECK(loop.stopped());
}
