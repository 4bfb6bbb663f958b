#include "pool_daemon/alarms.hpp"

#include "io_helper.hpp"

#include <boost/asio/steady_timer.hpp>

#include <optional>

using namespace std::chrono_literals;

// Both timers have gone off when the loop first looks; the second can't be called back any more by then.
TEST_CASE("alarms that are over in the moment in which one goes off are not heard of") {
    test::asio::io_context loop(1);
    std::optional<pool_daemon::Alarms> alarms(loop.get_executor());
    bool rang = false;
    alarms->after(-1s, [&] { rang = true; });
    test::asio::steady_timer earlier(loop, -2s);
    earlier.async_wait([&](boost::system::error_code) { alarms.reset(); });
    loop.run();
    CHECK_FALSE(rang);
}

TEST_CASE("alarms go off in their order, and those that are cancelled do not") {
    test::asio::io_context loop(1);
    pool_daemon::Alarms alarms(loop.get_executor());
    std::string heard;
    alarms.after(-1h, [&] {
        heard += 'b';
        alarms.after(1h, [&] { heard += 'c'; });
        alarms.cancel();
    });
    alarms.after(-2h, [&] { heard += 'a'; });
    loop.run();
    CHECK(heard == "ab");
}
