// The agents that their processes have reported as away, by session. Bounded.
#pragma once

#include "pool_protocol/agent_away.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace pool_daemon {

class AwayAgents {
  public:
    static constexpr std::size_t most = 1000;  // of a session; further ones are not kept

    void add(const std::string& session, pool_protocol::AgentAway away) {
        texts_.clear();
        auto& agents = sessions_[session];
        if (agents.size() < most || agents.contains(away.name)) agents[away.name] = std::move(away);
    }
    void remove(const std::string& session, const std::string& name) {
        texts_.clear();
        auto found = sessions_.find(session);
        if (found != sessions_.end()) found->second.erase(name);
    }
    void end(const std::string& session) {
        texts_.clear();
        sessions_.erase(session);
    }

    std::vector<pool_protocol::AgentAway> all() const { return having({}); }
    // The agents that fit tasks with these labels.
    std::vector<pool_protocol::AgentAway> having(const base::Labels& labels) const {
        std::vector<pool_protocol::AgentAway> found;
        for (const auto& [session, agents] : sessions_)
            for (const auto& [name, away] : agents)
                if (away.labels.fit(labels)) found.push_back(away);
        return found;
    }

    // pool_protocol::away_text() of these, kept until something changes: it is asked for with each task that
    // waits for the labels.
    const std::string& text(const base::Labels& labels) {
        if (texts_.size() >= most) texts_.clear();
        auto [text, is_new] = texts_.try_emplace(labels);
        if (is_new) text->second = pool_protocol::away_text(having(labels));
        return text->second;
    }

  private:
    std::map<base::Labels, std::string> texts_;
    // What each session has told, by the agent's name.
    std::unordered_map<std::string, std::map<std::string, pool_protocol::AgentAway>> sessions_;
};

}  // namespace pool_daemon
