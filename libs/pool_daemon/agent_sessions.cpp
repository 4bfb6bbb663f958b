#include "pool_daemon/agent_sessions.hpp"

#include "io/log.hpp"

namespace pool_daemon {

bool AgentSessions::take_frame(const Connection& connection, std::string_view frame) {
    if (auto session = pool_protocol::parse_session_greeting(frame)) {
        // A process that connects again has lost its earlier connection, whose end may be reported later.
        if (auto earlier = connections_.find(*session); earlier != connections_.end())
            sessions_.erase(earlier->second);
        io::log::debug("session ", *session, " of agents is connected");
        connections_[*session] = connection;
        sessions_[connection] = *session;
        connection->send(pool_protocol::session_greeting(*session));
        callbacks_.on_begin(*session);
        return true;
    }
    auto release = pool_protocol::parse_agent_release(frame);
    if (!release) return false;
    auto session = sessions_.find(connection);
    if (session != sessions_.end()) callbacks_.on_release(session->second, *release);
    return true;
}

void AgentSessions::connection_gone(const Connection& connection) {
    auto session = sessions_.extract(connection);
    if (session.empty()) return;
    connections_.erase(session.mapped());
    io::log::debug("session ", session.mapped(), " of agents has ended");
    callbacks_.on_end(session.mapped());
}

void AgentSessions::forget_all() {
    connections_.clear();
    sessions_.clear();
}

bool AgentSessions::send(const std::string& session, const pool_protocol::AgentKick& kick) const {
    auto connection = connections_.find(session);
    if (connection == connections_.end()) return false;
    connection->second->send(to_json(kick));
    return true;
}

}  // namespace pool_daemon
