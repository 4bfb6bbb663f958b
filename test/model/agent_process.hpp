// A process with agents of ours, played by the test: the connection that it keeps to the daemon, by which its
// death is noticed (docs/troupe-protocol.md, "Sessions of agents").
#pragma once

#include "connection.hpp"
#include "pool_protocol/session.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace model {

class AgentProcess {
  public:
    AgentProcess(std::string session, std::string socket_path)
        : session_(std::move(session)), socket_path_(std::move(socket_path)) {}

    const std::string& session() const { return session_; }
    bool is_alive() const { return is_alive_; }
    bool has_connection() const { return connection_.has_value(); }
    // The daemon has answered the greeting.
    bool is_connected() const { return is_greeted_; }

    void connect();  // while a daemon serves
    // Who is told to end since the last call. Notes the connection's end.
    std::vector<pool_protocol::AgentKick> receive();
    void release(std::string_view agent, pool_protocol::Release::Reason reason);

    // Its connection stays: what it has started, or its guard, holds it.
    void die() { is_alive_ = false; }
    void close();

  private:
    std::string session_;
    std::string socket_path_;
    std::optional<Connection> connection_;
    bool is_greeted_ = false;
    bool is_alive_ = true;
};

}  // namespace model
