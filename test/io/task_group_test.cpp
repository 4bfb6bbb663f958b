#include "io/task_group.hpp"

#include "io_helper.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

using namespace std::chrono_literals;
namespace asio = boost::asio;

namespace {

asio::awaitable<void> wait(std::chrono::milliseconds time, int* ended) {
    asio::steady_timer timer(co_await asio::this_coro::executor, time);
    co_await timer.async_wait(asio::use_awaitable);
    ++*ended;
}

asio::awaitable<void> fail() {
    throw std::logic_error("a bug");
    co_return;
}

asio::awaitable<void> join(io::TaskGroup* group) {
    co_await group->join();
}

asio::awaitable<void> join_or_cancel(io::TaskGroup* group) {
    co_await group->join_or_cancel();
}

}  // namespace

TEST_CASE("join returns when the last coroutine has ended") {
    asio::io_context loop(1);
    int ended = 0;
    io::TaskGroup group(loop.get_executor(), io::log_exception);
    for (int i = 0; i < 3; ++i)
        group.spawn("wait", wait(10ms * i, &ended));
    test::run(loop, join(&group));
    CHECK(ended == 3);
    CHECK(group.size() == 0);
}

TEST_CASE("cancelled coroutines end early, which is no exception, and later ones don't start") {
    asio::io_context loop(1);
    int ended = 0;
    int exceptions = 0;
    io::TaskGroup group(loop.get_executor(), [&](const std::string&, std::exception_ptr) { ++exceptions; });
    for (int i = 0; i < 3; ++i)
        group.spawn("wait", wait(1h, &ended));
    loop.run_for(10ms);
    group.cancel();
    group.spawn("late", wait(0ms, &ended));
    test::run(loop, join(&group));
    CHECK(ended == 0);
    CHECK(exceptions == 0);
}

TEST_CASE("an exception that leaves a coroutine reaches the owner, with its name") {
    asio::io_context loop(1);
    std::string seen;
    io::TaskGroup group(loop.get_executor(), [&](const std::string& name, std::exception_ptr exception) {
        try {
            std::rethrow_exception(exception);
        } catch (const std::exception& error) {
            seen = name + ": " + error.what();
        }
    });
    group.spawn("faulty", fail());
    test::run(loop, join(&group));
    CHECK(seen == "faulty: a bug");
}

TEST_CASE("a cancelled join passes the cancellation on and waits for the end") {
    asio::io_context loop(1);
    int ended = 0;
    io::TaskGroup inner(loop.get_executor(), io::log_exception);
    inner.spawn("wait", wait(1h, &ended));
    io::TaskGroup outer(loop.get_executor(), io::log_exception);
    outer.spawn("join", join_or_cancel(&inner));
    loop.run_for(10ms);
    outer.cancel();
    test::run(loop, join(&outer));
    CHECK(inner.size() == 0);
    CHECK(ended == 0);
}
