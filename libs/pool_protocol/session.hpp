// The messages between one of this project's agent processes and the daemon over the connection that the
// process keeps: an addition to the protocol (docs/troupe-protocol.md, "Sessions of agents"). Each is one
// frame. Pure.
#pragma once

#include "pool_protocol/agent_activity.hpp"
#include "pool_protocol/agent_away.hpp"
#include "pool_protocol/kick_reason.hpp"
#include "pool_protocol/ready.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace pool_protocol {

// Agent to daemon, once for each connection; the daemon answers with the same text. From then on ready files
// may name the session, and the daemon notices the session's end when the connection ends.
struct SessionGreeting {
    std::string session;
    // Agent: it would send ActivityNotice, AgentAway and AgentBack. Daemon: it knows them; an older one
    // leaves this out of its answer, and would take them for submissions.
    bool knows_activity = false;

    friend bool operator==(const SessionGreeting&, const SessionGreeting&) = default;
};
std::string to_json(const SessionGreeting& greeting);
// Nothing if the frame is something else, or its session is not an id.
std::optional<SessionGreeting> parse_session_greeting(std::string_view frame);

// Agent to daemon: one of the session's agents releases its task.
struct AgentRelease {
    std::string agent;
    Release release;
};
std::string to_json(const AgentRelease& release);
std::optional<AgentRelease> parse_agent_release(std::string_view frame);

// Agent to daemon: what one of the session's agents does now.
struct ActivityNotice {
    std::string agent;  // its id
    AgentActivity activity;
};
std::string to_json(const ActivityNotice& notice);
std::optional<ActivityNotice> parse_activity_notice(std::string_view frame);

// Agent to daemon: an agent of the session's process takes no task for a while. A later one of
// the same name replaces it.
std::string to_json(const AgentAway& away);
std::optional<AgentAway> parse_agent_away(std::string_view frame);

// Agent to daemon: it takes tasks again, or has ended.
struct AgentBack {
    std::string name;
};
std::string to_json(const AgentBack& back);
std::optional<AgentBack> parse_agent_back(std::string_view frame);

// Daemon to agent: it must end its work.
struct AgentKick {
    std::string agent;
    StatedKickReason reason;
};
std::string to_json(const AgentKick& kick);
std::optional<AgentKick> parse_agent_kick(std::string_view frame);

// Daemon to a submitter that may host: the daemon is about to end, and asks it to host the pool.
std::string host_request();
bool is_host_request(std::string_view frame);

}  // namespace pool_protocol
