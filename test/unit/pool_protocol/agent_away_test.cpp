#include "pool_protocol/agent_away.hpp"

#include <catch2/catch.hpp>

using namespace pool_protocol;
using namespace std::chrono_literals;

namespace {

constexpr UnixTime noon = 1'795'262'400s;  // 2026-11-21 12:00:00 UTC
const std::string account = "claude (/home/me/.claude)";

AgentAway parked(std::string name, UnixTime until) {
    return {std::move(name), {}, account, until, "limit reached"};
}

}  // namespace

TEST_CASE("agents that are away are grouped by account and reason, in the order of their return") {
    auto groups = away_groups({parked("a", noon + 5min),
                               {"b", {}, "", noon + 1min, "exit code 75"},
                               parked("c", noon),
                               {"d", {}, "", noon + 2min, "no credit"}});
    REQUIRE(groups.size() == 3);
    CHECK(groups[0].reason == "exit code 75");
    CHECK(groups[1].reason == "no credit");
    CHECK(groups[2].agents == 2);
    CHECK(groups[2].until == noon + 5min);
    CHECK(why_away(groups[0]) == "resting: exit code 75");
    CHECK(why_away(groups[2]) == "claude (/home/me/.claude) is parked: limit reached");
}

TEST_CASE("a log says how many agents are away, until when, and why") {
    CHECK(away_text({}).empty());
    CHECK(away_text({parked("a", noon + 1ms)}) ==
          "1 agent is away until 2026-11-21T12:00:01Z: claude (/home/me/.claude) is parked: limit reached");
    CHECK(away_text({parked("a", noon), parked("b", noon), {"c", {}, "", noon + 1min, ""}}) ==
          "2 agents are away until 2026-11-21T12:00:00Z: claude (/home/me/.claude) is parked: limit reached; "
          "1 agent is away until 2026-11-21T12:01:00Z: resting");
}

TEST_CASE("of many groups the log gets the first ones") {
    std::vector<AgentAway> away;
    for (int i = 0; i < 1000; ++i)
        away.push_back({"a", {}, "", noon + i * 1s, "reason " + std::to_string(i)});
    std::string text = away_text(away);
    CHECK(text.ends_with("resting: reason 2"));
}
