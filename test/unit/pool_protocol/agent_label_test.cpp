#include "pool_protocol/agent_label.hpp"

#include <catch2/catch.hpp>

TEST_CASE("messages call an agent an agent, once") {
    CHECK(pool_protocol::agent_label("claude-2") == "agent claude-2");
    CHECK(pool_protocol::agent_label("agent-1") == "agent-1");
}
