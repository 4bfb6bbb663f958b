// The connection that a process with agents keeps to the daemon, one for all of them
// (docs/troupe-protocol.md, "Sessions of agents"). When it ends, the daemon notices that they have died. Over
// it the daemon kicks agents, and they release tasks without a file and tell what they do. If the daemon has
// no sessions, or the socket is denied, the agents use files only.
#pragma once

#include "io/framed_socket.hpp"
#include "pool_client/agent_news.hpp"
#include "pool_protocol/kick_reason.hpp"
#include "pool_protocol/pool_directory.hpp"
#include "pool_protocol/ready.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

namespace pool_client {

// All calls from the executor's thread.
class AgentSession {
  public:
    // Each may be empty.
    struct Listener {
        std::function<void(int socket)> on_socket;  // the connection's descriptor; -1 when it is closed
        // false when the daemon was killed and there has been none for 5 s; true when there is one again.
        std::function<void(bool is_served)> on_served;
    };
    AgentSession(boost::asio::any_io_executor executor, pool_protocol::PoolDirectory directory,
                 std::string id, Listener listener = {});
    ~AgentSession();
    AgentSession(const AgentSession&) = delete;
    AgentSession& operator=(const AgentSession&) = delete;

    // Connects, and reconnects whenever the connection is lost, until a terminal cancellation.
    boost::asio::awaitable<void> keep();

    bool is_connected() const { return connected_; }
    const std::string& id() const { return id_; }

    // False if there is no connection: use a file instead.
    bool release(const std::string& agent, const pool_protocol::Release& release);

    // What the agent with this id does at its task. Sent to the daemon as AgentNews decides, and again after
    // a reconnection, until end_activity(). A daemon that does not know of activity is sent nothing.
    void set_activity(const std::string& agent, const pool_protocol::AgentActivity& activity);
    void end_activity(const std::string& agent) { news_.end_activity(agent); }
    // The agent of this name takes no task until set_back(); told in the same way.
    void set_away(pool_protocol::AgentAway away);
    void set_back(const std::string& name);

    struct Callbacks {
        std::function<void(const pool_protocol::StatedKickReason& reason)>
            on_kick;                    // the agent must end its work
        std::function<void()> on_lost;  // the daemon may now kick by file
    };

    // Calls the callbacks as long as the object lives.
    class Listening {
      public:
        Listening(AgentSession& session, std::string agent, Callbacks callbacks);
        ~Listening();
        Listening(const Listening&) = delete;
        Listening& operator=(const Listening&) = delete;

      private:
        AgentSession& session_;
        std::string agent_;
    };

    // Waits until what was sent has left this process, at most 1 s, and closes the connection.
    boost::asio::awaitable<void> close();

  private:
    // abandoned: the pool's daemon was killed, and there is no other one.
    enum class Attempt { connected, not_served, abandoned, not_supported, denied };

    boost::asio::awaitable<Attempt> connect();
    void frame_came(const std::string& frame);
    void connection_lost();
    void note_service(Attempt attempt);
    void send_news();
    void send_news_at(std::chrono::steady_clock::time_point time);

    boost::asio::any_io_executor executor_;
    pool_protocol::PoolDirectory directory_;
    std::string id_;
    Listener listener_;
    std::optional<std::chrono::steady_clock::time_point> unserved_since_;
    bool was_unserved_ = false;  // and this was reported to the listener
    std::shared_ptr<io::FramedSocket> link_;
    bool connected_ = false;             // the daemon has answered the greeting
    boost::asio::steady_timer changed_;  // cancelled when the connection is answered or lost
    std::unordered_map<std::string, Callbacks> callbacks_;  // by agent
    AgentNews news_;
    bool daemon_knows_activity_ = false;    // while connected
    boost::asio::steady_timer news_timer_;  // until more news are due
    std::shared_ptr<int> alive_ = std::make_shared<int>();
};

}  // namespace pool_client
