// The agents of a process that take no task for a while, because they rest or their account is parked, and so
// are not attached to the pool: an addition to the protocol (docs/troupe-protocol.md, "Sessions of agents").
// Pure.
#pragma once

#include "base/labels.hpp"
#include "json/json.hpp"
#include "pool_protocol/unix_time.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pool_protocol {

struct AgentAway {
    std::string name;
    base::Labels labels = {};
    std::string account = {};  // that is parked: "claude (/home/me/.claude)"; empty: the agent rests
    UnixTime until{};
    std::string reason = {};  // on one line

    friend bool operator==(const AgentAway&, const AgentAway&) = default;
};

// `"name":…,"labels":[…],"account":…,"until":…,"reason":…`. Texts are cut to 200 bytes.
std::string away_members(const AgentAway& away);
// Nothing if `value` is not an object, has no name or no end, or if a member has the wrong type or is too
// long. Control characters become spaces.
std::optional<AgentAway> parse_away(json::View value);

// Agents that are away for the same reason.
struct AwayGroup {
    std::size_t agents = 0;
    std::string account;
    std::string reason;
    UnixTime until{};  // the last of them is back
};
// The groups in the order in which they are back.
std::vector<AwayGroup> away_groups(const std::vector<AgentAway>& away);

// "claude (/home/me/.claude) is parked: <reason>", "resting: <reason>"
std::string why_away(const AwayGroup& group);

// For a log: "2 agents are away until 2026-11-21T14:05:00Z: claude (/home/me/.claude) is parked: <reason>";
// several groups are separated by "; ", and of more than three the others are left out. Empty if nobody is
// away.
std::string away_text(const std::vector<AgentAway>& away);

}  // namespace pool_protocol
