#include "io/active_timer.hpp"
#include "io/interruption.hpp"
#include "io_helper.hpp"
#include "process/child_process.hpp"
#include "process/live_groups.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <csignal>
#include <optional>
#include <sys/socket.h>
#include <sys/wait.h>

using namespace std::chrono_literals;
using boost::system::error_code;
using io::ActiveClock;
using io::ActiveTimer;
using Steady = std::chrono::steady_clock;

namespace {

// Holds this process up until then, as a short suspension would.
void wait_past(Steady::time_point time) {
    while (Steady::now() <= time)
        ::usleep(1000);
}

using Results = std::vector<error_code>;

ActiveTimer::Handler into(Results& results) {
    return [&results](error_code ec) { results.push_back(ec); };
}

}  // namespace

TEST_CASE("an active timer goes off at its expiry and not before, with ticks and without") {
    for (bool ticks : {true, false}) {
        test::asio::io_context loop(1);
        ActiveTimer timer(loop.get_executor(), ticks);
        Results results;
        timer.expires_after(1'100ms);  // a whole second of the clock lies in between
        ActiveClock::time_point at;
        timer.async_wait([&](error_code ec) {
            at = ActiveClock::now();
            results.push_back(ec);
        });
        loop.run();
        CHECK(results == Results{error_code()});
        CHECK(at >= timer.expiry());
    }
}

TEST_CASE("an active timer that is cancelled or set anew says so, once and not at once") {
    test::asio::io_context loop(1);
    ActiveTimer timer(loop.get_executor());
    Results results;
    timer.expires_after(ActiveClock::duration::max());
    timer.async_wait(into(results));
    timer.cancel();
    timer.async_wait(into(results));
    timer.expires_at(ActiveClock::now() - 1s);
    timer.async_wait(into(results));
    CHECK(results.empty());
    loop.run();
    error_code aborted = test::asio::error::operation_aborted;
    CHECK(results == Results{aborted, aborted, error_code()});
}

TEST_CASE("an active timer that is destroyed says nothing, though it was due or cancelled") {
    for (bool cancelled : {true, false}) {
        test::asio::io_context loop(1);
        std::optional<ActiveTimer> timer(loop.get_executor());
        Results results;
        test::asio::steady_timer earlier(loop, 0s);
        earlier.async_wait([&](error_code) {
            if (cancelled) timer->cancel();
            timer.reset();
        });
        timer->expires_after(0s);
        timer->async_wait(into(results));
        wait_past(Steady::now() + 1ms);
        loop.run();
        CHECK(results.empty());
        CHECK_FALSE(timer.has_value());
    }
}

TEST_CASE("a child that has ended in time is not timed out, though its end is seen late") {
    std::signal(SIGPIPE, SIG_IGN);
    test::asio::io_context loop(1);
    process::ChildResult result;
    auto run = [](process::ChildResult* into) -> test::asio::awaitable<void> {
        process::ChildSpec spec;
        spec.script = "echo done";
        spec.directory = "/";
        spec.timeout = 100ms;
        *into = co_await process::run_child(std::move(spec));
    };
    bool ended = false;
    test::asio::co_spawn(loop, run(&result), [&](std::exception_ptr) { ended = true; });
    while (process::live_groups().empty())
        loop.poll_one();
    auto started = Steady::now();
    siginfo_t info{};
    REQUIRE(::waitid(P_PID, static_cast<id_t>(process::live_groups().front().id), &info, WEXITED | WNOWAIT) ==
            0);
    wait_past(started + 150ms);
    loop.run();
    CHECK(ended);
    CHECK(result.end == process::ChildResult::End::exited);
    CHECK(result.output == "done\n");
}

namespace {

using Socket = test::asio::local::stream_protocol::socket;

// Reads so many bytes, a few at a time.
test::asio::awaitable<void> read_slowly(Socket& socket, std::size_t size) {
    char buffer[100];
    for (std::size_t got = 0; got < size;)
        got += co_await socket.async_read_some(test::asio::buffer(buffer), test::asio::use_awaitable);
}

// Whether an answer of 2000 bytes, of which `sent` are in the socket when the time is over, was read whole.
bool is_answered(std::size_t sent) {
    test::asio::io_context loop(1);
    int fds[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0);
    io::UniqueFd sender(fds[0]);
    Socket socket(loop, test::asio::local::stream_protocol(), fds[1]);
    std::string answer(sent, 'x');
    REQUIRE(::write(sender.get(), answer.data(), answer.size()) == static_cast<ssize_t>(sent));
    io::Interruption interruption(loop.get_executor(), {}, 20ms);
    std::exception_ptr failure;
    test::asio::co_spawn(loop, read_slowly(socket, 2000),
                         test::asio::bind_cancellation_slot(interruption.slot(), [&](std::exception_ptr why) {
                             failure = why;
                             interruption.cancel();
                         }));
    wait_past(Steady::now() + 30ms);
    loop.run();
    CHECK(interruption.happened() == (failure != nullptr));
    return failure == nullptr;
}

}  // namespace

TEST_CASE("a time that is over ends what waits, and not what has got its answer already") {
    CHECK(is_answered(2000));
    CHECK_FALSE(is_answered(1999));
}
