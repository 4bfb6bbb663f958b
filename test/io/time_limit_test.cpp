#include "runner/time_limit.hpp"

#include <boost/asio/io_context.hpp>
#include <catch2/catch.hpp>

#include <chrono>
#include <optional>

using namespace std::chrono_literals;

TEST_CASE("a time limit begins paused, and tells its end once") {
    boost::asio::io_context context;
    int ends = 0;
    runner::TimeLimit limit(context.get_executor(), 20ms, [&] { ++ends; });
    context.run_for(60ms);
    CHECK(ends == 0);
    limit.go_on();
    limit.go_on();
    context.restart();
    context.run();
    CHECK(ends == 1);
    limit.pause();
    limit.go_on();
    context.restart();
    context.run();
    CHECK(ends == 1);
}

TEST_CASE("time does not count while it is paused") {
    boost::asio::io_context context;
    int ends = 0;
    runner::TimeLimit limit(context.get_executor(), 50ms, [&] { ++ends; });
    limit.go_on();
    limit.pause();
    limit.pause();
    context.run_for(150ms);
    CHECK(ends == 0);
    limit.go_on();
    context.restart();
    context.run();
    CHECK(ends == 1);
}

TEST_CASE("a time limit that is gone tells nothing and keeps nothing waiting") {
    boost::asio::io_context context;
    int ends = 0;
    std::optional<runner::TimeLimit> limit;
    limit.emplace(context.get_executor(), 1'000s, [&] { ++ends; });
    limit->go_on();
    limit.reset();
    context.run();
    CHECK(ends == 0);
}
