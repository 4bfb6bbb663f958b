#include "pool_daemon/timer_queue.hpp"

#include "io_helper.hpp"

#include <boost/asio/steady_timer.hpp>

#include <optional>

using namespace std::chrono_literals;

// Both timers have expired when the loop first looks; the second can't be cancelled any more by then.
TEST_CASE("a timer queue that is destroyed at the moment its timer expires runs nothing") {
    test::asio::io_context loop(1);
    std::optional<pool_daemon::TimerQueue> timers(loop.get_executor());
    bool has_run = false;
    timers->after(-1s, [&] { has_run = true; });
    test::asio::steady_timer earlier(loop, -2s);
    earlier.async_wait([&](boost::system::error_code) { timers.reset(); });
    loop.run();
    CHECK_FALSE(has_run);
}

TEST_CASE("a timer queue runs actions in the order of their times, and none that is cancelled") {
    test::asio::io_context loop(1);
    pool_daemon::TimerQueue timers(loop.get_executor());
    std::string order;
    timers.after(-1h, [&] {
        order += 'b';
        timers.after(1h, [&] { order += 'c'; });
        timers.cancel();
    });
    timers.after(-2h, [&] { order += 'a'; });
    loop.run();
    CHECK(order == "ab");
}
