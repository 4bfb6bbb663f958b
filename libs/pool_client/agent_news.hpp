// What a process tells the daemon of its agents over their session, besides releases: what each does, and
// which are away. Decides when what is sent. Pure: the time is an argument.
#pragma once

#include "pool_protocol/agent_activity.hpp"
#include "pool_protocol/agent_away.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace pool_client {

// Holds no more than the newest of each agent. The activity of an agent is sent at most once in
// `activity_interval`; the last one is always sent in the end.
class AgentNews {
  public:
    using Time = std::chrono::steady_clock::time_point;

    static constexpr std::chrono::milliseconds activity_interval{250};

    // `agent` is an id, which is a new one for each task.
    void set_activity(const std::string& agent, pool_protocol::AgentActivity activity);
    void end_activity(const std::string& agent) { activities_.erase(agent); }
    void set_away(pool_protocol::AgentAway away);
    void set_back(const std::string& name);

    // There is a new connection, whose daemon has been told nothing.
    void begin_anew();

    // The frames that are due, which count as sent.
    std::vector<std::string> take_due(Time now);
    // When the next one is due; nothing if all is sent.
    std::optional<Time> next_due() const;

  private:
    struct Activity {
        pool_protocol::AgentActivity newest;
        bool is_sent = false;
        std::optional<Time> sent;  // when one was sent last over this connection
    };
    struct Absence {
        std::optional<pool_protocol::AgentAway> away;  // nothing: the agent is back, which was not sent yet
        bool is_sent = false;
    };

    static Time due(const Activity& activity) {
        return activity.sent ? *activity.sent + activity_interval : Time::min();
    }

    std::unordered_map<std::string, Activity> activities_;  // by agent's id; of those at work
    std::map<std::string, Absence> absences_;               // by agent's name
};

}  // namespace pool_client
