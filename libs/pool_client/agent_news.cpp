#include "pool_client/agent_news.hpp"

#include "pool_protocol/session.hpp"

#include <algorithm>
#include <utility>

namespace pool_client {

void AgentNews::set_activity(const std::string& agent, pool_protocol::AgentActivity activity) {
    Activity& told = activities_[agent];
    told.newest = std::move(activity);
    told.is_sent = false;
}

void AgentNews::set_away(pool_protocol::AgentAway away) {
    std::string name = away.name;
    absences_[name] = {std::move(away), false};
}

void AgentNews::set_back(const std::string& name) {
    auto absence = absences_.find(name);
    if (absence != absences_.end()) absence->second = {std::nullopt, false};
}

void AgentNews::begin_anew() {
    std::erase_if(absences_, [](const auto& entry) { return !entry.second.away; });
    for (auto& [name, absence] : absences_)
        absence.is_sent = false;
    for (auto& [agent, activity] : activities_)
        activity = {std::move(activity.newest), false, std::nullopt};
}

std::vector<std::string> AgentNews::take_due(Time now) {
    std::vector<std::string> frames;
    for (auto& [name, absence] : absences_) {
        if (std::exchange(absence.is_sent, true)) continue;
        frames.push_back(absence.away ? to_json(*absence.away) : to_json(pool_protocol::AgentBack{name}));
    }
    std::erase_if(absences_, [](const auto& entry) { return !entry.second.away; });
    for (auto& [agent, activity] : activities_) {
        if (activity.is_sent || now < due(activity)) continue;
        activity.is_sent = true;
        activity.sent = now;
        frames.push_back(to_json(pool_protocol::ActivityNotice{agent, activity.newest}));
    }
    return frames;
}

std::optional<AgentNews::Time> AgentNews::next_due() const {
    if (std::ranges::any_of(absences_, [](const auto& entry) { return !entry.second.is_sent; }))
        return Time::min();
    std::optional<Time> next;
    for (const auto& [agent, activity] : activities_)
        if (!activity.is_sent && (!next || due(activity) < *next)) next = due(activity);
    return next;
}

}  // namespace pool_client
