// The messages between one of this project's agent processes and the daemon over the connection that the
// process keeps: an addition to the protocol (docs/troupe-protocol.md, "Sessions of agents"). Each is one
// frame. Pure.
#pragma once

#include "pool_protocol/kick_reason.hpp"
#include "pool_protocol/ready.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace pool_protocol {

// Agent to daemon, once for each connection; the daemon answers with the same text. From then on ready files
// may name the session, and the daemon notices the session's end when the connection ends.
std::string session_greeting(std::string_view session);
// Nothing if the frame is something else, or its session is not an id.
std::optional<std::string> parse_session_greeting(std::string_view frame);

// Agent to daemon: one of the session's agents releases its task.
struct AgentRelease {
    std::string agent;
    Release release;
};
std::string to_json(const AgentRelease& release);
std::optional<AgentRelease> parse_agent_release(std::string_view frame);

// Daemon to agent: it must end its work.
struct AgentKick {
    std::string agent;
    KickReason reason;
};
std::string to_json(const AgentKick& kick);
std::optional<AgentKick> parse_agent_kick(std::string_view frame);

// Daemon to a submitter that may host: the daemon is about to end, and asks it to host the pool.
std::string host_request();
bool is_host_request(std::string_view frame);

}  // namespace pool_protocol
