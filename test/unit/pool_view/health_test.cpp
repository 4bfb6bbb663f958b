#include "pool_view/health.hpp"

#include <catch2/catch.hpp>

using namespace pool_view;
using namespace std::chrono_literals;
using pool_protocol::AgentStatus;
using pool_protocol::Status;

namespace {

constexpr std::chrono::milliseconds time_of_status = 1'795'262'400s;

Status working() {
    Status status;
    status.pool = "reviews";
    status.time = time_of_status;
    AgentStatus agent;
    agent.state = AgentStatus::State::busy;
    status.agents = {agent};
    return status;
}

}  // namespace

TEST_CASE("a pool with an agent works") {
    HealthReport report = health_of(working(), std::nullopt);
    CHECK(report.health == Health::ok);
    CHECK(report.line ==
          "TROUPE OK - pool reviews: 1 of 1 agent busy, 0 tasks wait | agents=1 busy=1 queue=0 queue_age=0s");
}

TEST_CASE("what is not as it should be is a warning, and all of it is told") {
    Status status = working();
    status.agents.clear();
    status.draining = true;
    status.queue.length = 3;
    status.queue.head = {"a", time_of_status - 61s};
    status.queue.unmatched.push_back({});
    status.queue.unmatched.back().length = 1;
    status.engine.emplace();
    HealthReport report = health_of(status, 60s);
    CHECK(report.health == Health::warning);
    for (const char* text :
         {"no agent is attached", "it is draining", "the first task has waited for",
          "it is not connected to its engine", "; 3 tasks wait", " | agents=0 busy=0 queue=3 queue_age=61s"})
        CHECK(report.line.find(text) != std::string::npos);
}

TEST_CASE("the labels that no agent has are named, unless there is no agent at all") {
    Status status = working();
    status.queue.length = 1;
    status.queue.unmatched.push_back({});
    status.queue.unmatched.back().length = 1;
    status.queue.unmatched.back().labels = *base::Labels::of({"gpu", "linux"});
    status.queue.unmatched.back().missing = *base::Labels::of({"gpu"});
    CHECK(health_of(status, std::nullopt).line ==
          "TROUPE WARNING - pool reviews: 1 task waits in vain: no agent has the label gpu; 1 of 1 agent "
          "busy, 1 task "
          "waits | "
          "agents=1 busy=1 queue=1 queue_age=0s");
    status.agents.clear();
    CHECK(health_of(status, std::nullopt).line ==
          "TROUPE WARNING - pool reviews: no agent is attached; 1 task waits | agents=0 busy=0 queue=1 "
          "queue_age=0s");
}

TEST_CASE("the queue is old only if that is asked for, and longer than that") {
    Status status = working();
    status.queue.length = 1;
    status.queue.head = {"a", time_of_status - 60s};
    CHECK(health_of(status, std::nullopt).health == Health::ok);
    CHECK(health_of(status, 60s).health == Health::ok);
    CHECK(health_of(status, 59s).health == Health::warning);
}

TEST_CASE("a pool that tells no status is down, or not known") {
    CHECK(health_without_status(Health::critical, "gone").line == "TROUPE CRITICAL - gone");
    CHECK(health_without_status(Health::unknown, "who knows").line == "TROUPE UNKNOWN - who knows");
    CHECK(static_cast<int>(Health::critical) == 2);
}
