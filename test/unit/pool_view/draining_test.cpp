#include "pool_view/draining.hpp"

#include <catch2/catch.hpp>

using pool_protocol::AgentStatus;
using pool_protocol::Status;
using pool_view::draining_text;

TEST_CASE("what a daemon waits for that drains") {
    Status status;
    CHECK(draining_text(status) == "the daemon ends");
    status.engine.emplace().kept_answers = 1;
    CHECK(draining_text(status) == "the daemon waits until the engine has 1 answer");
    for (auto state : {AgentStatus::State::busy, AgentStatus::State::ending, AgentStatus::State::idle})
        status.agents.emplace_back().state = state;
    CHECK(draining_text(status) == "the daemon waits for 2 agents, and until the engine has 1 answer");
    status.engine.reset();
    CHECK(draining_text(status) == "the daemon waits for 2 agents");
}
