// The sessions of agent processes: connections that they keep to the daemon (docs/troupe-protocol.md,
// "Sessions of agents"). Maps sessions to connections; Agents knows the agents of each session.
#pragma once

#include "io/framed_socket.hpp"
#include "pool_protocol/session.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace pool_daemon {

class AgentSessions {
  public:
    struct Callbacks {
        std::function<void(const std::string& session, const pool_protocol::AgentRelease&)> on_release;
        std::function<void(const std::string& session, const pool_protocol::ActivityNotice&)> on_activity;
        std::function<void(const std::string& session, pool_protocol::AgentAway)> on_away;
        std::function<void(const std::string& session, const pool_protocol::AgentBack&)> on_back;
        std::function<void(const std::string& session)> on_begin;
        std::function<void(const std::string& session)> on_end;
    };

    explicit AgentSessions(Callbacks callbacks) : callbacks_(std::move(callbacks)) {}

    // False if the frame does not belong to a session.
    bool take_frame(const std::shared_ptr<io::FramedSocket>& connection, std::string_view frame);
    void connection_gone(const std::shared_ptr<io::FramedSocket>& connection);

    // From now on, ends of sessions are not reported.
    void forget_all();

    bool is_connected(const std::string& session) const { return connections_.contains(session); }
    // False if the session has no connection now.
    bool send(const std::string& session, const pool_protocol::AgentKick& kick) const;

  private:
    using Connection = std::shared_ptr<io::FramedSocket>;

    void begin(const Connection& connection, const pool_protocol::SessionGreeting& greeting);

    Callbacks callbacks_;
    std::unordered_map<std::string, Connection> connections_;  // by session
    std::unordered_map<Connection, std::string> sessions_;
};

}  // namespace pool_daemon
