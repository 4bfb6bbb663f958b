#include "pool_view/engine_view.hpp"

#include <catch2/catch.hpp>

using namespace std::chrono_literals;
using pool_protocol::EngineStatus;
using pool_protocol::Status;
using Lines = std::vector<std::string>;

namespace {

Status example(EngineStatus engine) {
    Status status;
    status.time = 1'795'262'400'000ms;
    status.engine = std::move(engine);
    return status;
}

}  // namespace

TEST_CASE("a pool with one host says nothing of an engine") {
    CHECK(pool_view::engine_lines(Status(), false).empty());
    CHECK(pool_view::host_lines(Status(), false).empty());
}

TEST_CASE("the connection, what this host has, and what went wrong are told") {
    EngineStatus engine{"nats://h1:4222", "h1-1", true, 1'795'262'390'000ms, "", 1, 3, {}, 0, {}, {}};
    CHECK(pool_view::engine_lines(example(engine), false) ==
          Lines{"engine  nats://h1:4222, connected for 10.0 s",
                "        this host, h1-1, has 1 task; its submitters wait for 3"});
    engine.lag = 412us;
    CHECK(pool_view::engine_lines(example(engine), false).front() ==
          "engine  nats://h1:4222, connected for 10.0 s, lag 0.41 ms");
    engine.kept_answers = 1;
    CHECK(pool_view::engine_lines(example(engine), false).back() ==
          "        1 answer of its agents, which the engine has not got yet");
    engine.counts.late_answers = 2;
    engine.counts.redelivered = 1;
    CHECK(pool_view::engine_lines(example(engine), false).back() ==
          "        1 task delivered again, 2 late answers refused");
}

TEST_CASE("a lost connection is told with its reason and since when, one that never was, without") {
    EngineStatus engine{
        "nats://h1:4222", "h1-1", false, 1'795'262'390'000ms, "no route", 0, 0, {}, 0, {}, {}};
    CHECK(pool_view::engine_lines(example(engine), false).front() ==
          "engine  nats://h1:4222, not connected for 10.0 s: no route");
    engine.since.reset();
    engine.problem.clear();
    CHECK(pool_view::engine_lines(example(engine), false).front() ==
          "engine  nats://h1:4222, not connected yet");
}

TEST_CASE("hosts are listed in the order of their ids") {
    EngineStatus engine;
    engine.hosts = {{"h2", 1, 2, 3, 4, 65s, 412us}, {"h1", 0, 0, 0, 10}};
    CHECK(pool_view::host_lines(example(engine), false) ==
          Lines{"host  busy  idle  tasks  submissions    connected      lag",
                "h1       0     0      0           10            -        -",
                "h2       2     1      3            4    1 min 5 s  0.41 ms"});
}

TEST_CASE("what has gone wrong at any host has a column") {
    EngineStatus engine;
    engine.hosts = {{"h1", 0, 0, 0, 0}, {"h2", 0, 0, 0, 0}};
    engine.hosts[1].counts.owners_lost = 2;
    engine.hosts[1].counts.late_answers = 3;
    engine.hosts[1].counts.published = 4;  // nothing has gone wrong
    CHECK(pool_view::host_lines(example(engine), false) ==
          Lines{"host  busy  idle  tasks  submissions    connected      lag  lost  late",
                "h1       0     0      0            0            -        -     0     0",
                "h2       0     0      0            0            -        -     2     3"});
}
