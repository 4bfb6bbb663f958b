#include "agents/agent_rest.hpp"

#include <catch2/catch.hpp>

using agents::AgentRest;
using namespace std::chrono_literals;

TEST_CASE("the first failure in a row costs no time, further ones ever more, up to five seconds") {
    AgentRest rest;
    CHECK(rest.failed() == 0s);
    for (auto expected : {1s, 2s, 4s, 5s, 5s})
        CHECK(rest.failed() == expected);
}

TEST_CASE("an agent in trouble rests for five seconds, doubled up to five minutes") {
    AgentRest rest;
    for (auto expected : {5s, 10s, 20s, 40s, 80s, 160s, 300s, 300s})
        CHECK(rest.unavailable() == expected);
}

TEST_CASE("a success ends either row") {
    AgentRest rest;
    for (int i = 0; i < 3; ++i) {
        rest.failed();
        rest.unavailable();
    }
    rest.succeeded();
    CHECK(rest.failed() == 0s);
    CHECK(rest.unavailable() == 5s);
}

TEST_CASE("failures and trouble of the agent's own are counted apart") {
    AgentRest rest;
    rest.failed();
    CHECK(rest.unavailable() == 5s);
    CHECK(rest.failed() == 1s);
    CHECK(rest.unavailable() == 10s);
}
