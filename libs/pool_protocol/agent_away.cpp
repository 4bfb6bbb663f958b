#include "pool_protocol/agent_away.hpp"

#include "base/text.hpp"
#include "base/utc_text.hpp"
#include "pool_protocol/bounded_members.hpp"
#include "pool_protocol/fields.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <utility>

namespace pool_protocol {

std::string away_members(const AgentAway& away) {
    return base::concat(
        bounded_text_member("name", away.name), "\"labels\":", labels_array(away.labels), ",",
        away.account.empty() ? "\"account\":null," : bounded_text_member("account", away.account),
        bounded_text_member("reason", away.reason), "\"until\":", away.until.count());
}

std::optional<AgentAway> parse_away(json::View value) {
    if (!value.is(json::Kind::object)) return std::nullopt;
    AgentAway away;
    BoundedMembers members(value);
    members.read("name", away.name);
    members.read("account", away.account);
    members.read("reason", away.reason);
    auto labels = labels_in(value.find("labels"));
    auto until = time_in(value, "until");
    if (!members.valid() || away.name.empty() || labels.has_error() || !until) return std::nullopt;
    for (std::string* text : {&away.name, &away.account, &away.reason})
        *text = on_one_line(std::move(*text));
    away.labels = std::move(*labels);
    away.until = *until;
    return away;
}

std::vector<AwayGroup> away_groups(const std::vector<AgentAway>& away) {
    std::map<std::pair<std::string_view, std::string_view>, AwayGroup> by_reason;
    for (const AgentAway& agent : away) {
        auto [group, is_new] = by_reason.try_emplace({agent.account, agent.reason});
        if (is_new) group->second = {0, agent.account, agent.reason, agent.until};
        ++group->second.agents;
        group->second.until = std::max(group->second.until, agent.until);
    }
    std::vector<AwayGroup> groups;
    for (auto& [reason, group] : by_reason)
        groups.push_back(std::move(group));
    std::ranges::sort(groups, {}, [](const AwayGroup& group) {
        return std::tie(group.until, group.account, group.reason);
    });
    return groups;
}

std::string why_away(const AwayGroup& group) {
    std::string state = group.account.empty() ? "resting" : group.account + " is parked";
    return base::concat(state, group.reason.empty() ? "" : ": ", group.reason);
}

std::string away_text(const std::vector<AgentAway>& away) {
    constexpr std::size_t most = 3;
    std::string text;
    auto groups = away_groups(away);
    for (const AwayGroup& group : std::span(groups).first(std::min(most, groups.size())))
        text += base::concat(text.empty() ? "" : "; ", base::counted(group.agents, "agent"),
                             group.agents == 1 ? " is" : " are", " away until ",
                             base::utc_text(std::chrono::ceil<std::chrono::seconds>(
                                 std::chrono::sys_time<UnixTime>(group.until))),
                             ": ", why_away(group));
    return text;
}

}  // namespace pool_protocol
