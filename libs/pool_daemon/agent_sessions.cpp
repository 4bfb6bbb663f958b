#include "pool_daemon/agent_sessions.hpp"

#include "io/log.hpp"

namespace pool_daemon {

bool AgentSessions::take_frame(const Connection& connection, std::string_view frame) {
    if (auto greeting = pool_protocol::parse_session_greeting(frame)) {
        begin(connection, *greeting);
        return true;
    }
    auto found = sessions_.find(connection);
    if (found == sessions_.end()) return pool_protocol::parse_agent_release(frame).has_value();
    std::string session = found->second;
    if (auto release = pool_protocol::parse_agent_release(frame)) {
        callbacks_.on_release(session, *release);
    } else if (auto activity = pool_protocol::parse_activity_notice(frame)) {
        callbacks_.on_activity(session, *activity);
    } else if (auto away = pool_protocol::parse_agent_away(frame)) {
        callbacks_.on_away(session, std::move(*away));
    } else if (auto back = pool_protocol::parse_agent_back(frame)) {
        callbacks_.on_back(session, *back);
    } else {
        return false;
    }
    return true;
}

void AgentSessions::begin(const Connection& connection, const pool_protocol::SessionGreeting& greeting) {
    const std::string& session = greeting.session;
    // A process that connects again has lost its earlier connection, whose end may be reported later.
    if (auto earlier = connections_.find(session); earlier != connections_.end())
        sessions_.erase(earlier->second);
    io::log::debug("session ", session, " of agents is connected");
    connections_[session] = connection;
    sessions_[connection] = session;
    connection->send(to_json(greeting));
    callbacks_.on_begin(session);
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
