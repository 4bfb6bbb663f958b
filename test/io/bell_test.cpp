#include "io/bell.hpp"

#include "io/task_group.hpp"
#include "io_helper.hpp"

#include <deque>
#include <vector>

using namespace std::chrono_literals;
namespace asio = boost::asio;

namespace {

// Counts the returns of its waits, of which there are so many.
asio::awaitable<void> wait_for(io::Bell* bell, int times, int* returned) {
    for (int i = 0; i < times; ++i) {
        co_await bell->wait();
        ++*returned;
    }
}

asio::awaitable<void> wait_a_moment(io::Bell* bell) {
    co_await bell->wait(1ms);
}

asio::awaitable<void> join(io::TaskGroup* group) {
    co_await group->join();
}

}  // namespace

TEST_CASE("a bell wakes who waits for it, and what rang before counts once") {
    asio::io_context loop(1);
    io::Bell bell(loop.get_executor());
    io::TaskGroup group(loop.get_executor(), io::log_exception);
    int returned = 0;
    bell.ring();
    bell.ring();
    group.spawn("waiting", wait_for(&bell, 2, &returned));
    while (returned == 0)
        loop.run_one();
    loop.poll();
    CHECK(returned == 1);
    bell.ring();
    test::run(loop, join(&group));
    CHECK(returned == 2);
}

TEST_CASE("a wait for a bell ends after its time, and when it is cancelled") {
    asio::io_context loop(1);
    io::Bell bell(loop.get_executor());
    test::run(loop, wait_a_moment(&bell));
    io::TaskGroup group(loop.get_executor(), io::log_exception);
    int returned = 0;
    group.spawn("waiting", wait_for(&bell, 1, &returned));
    loop.run_for(10ms);
    group.cancel();
    test::run(loop, join(&group));
    CHECK(returned == 0);
}

TEST_CASE("all bells ring of those who watch, for as long as they do") {
    asio::io_context loop(1);
    std::vector<int> returned(3);
    std::deque<io::Bell> bells;
    io::TaskGroup group(loop.get_executor(), io::log_exception);
    io::Bells watchers;
    CHECK(watchers.empty());
    std::vector<io::Bells::Watch> watches;
    for (int& count : returned) {
        bells.emplace_back(loop.get_executor());
        watches.push_back(watchers.add(bells.back()));
        group.spawn("waiting", wait_for(&bells.back(), 1, &count));
    }
    loop.run_for(10ms);
    watches.erase(watches.begin());
    CHECK(watchers.size() == 2);
    watchers.ring();
    loop.restart();
    loop.run_for(10ms);
    CHECK(returned == std::vector<int>{0, 1, 1});
    watches.clear();
    CHECK(watchers.empty());
    bells.front().ring();
    test::run(loop, join(&group));
}

TEST_CASE("a watch may outlive what it watched") {
    asio::io_context loop(1);
    io::Bell bell(loop.get_executor());
    io::Bells::Watch watch;
    {
        io::Bells watchers;
        watch = watchers.add(bell);
    }
    watch = {};
}
